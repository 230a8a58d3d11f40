import { mixBits } from '../../common/hash.js';
import { type Candidate } from './candidates.js';

/** Slots of the ranking table. The first block contains counted features, the second word priors by hash. */
const PLAIN_SLOTS = 4_096;
const PRIOR_BITS = 15;
/** Number of slots. */
export const RANKING_SLOTS = PLAIN_SLOTS + (1 << PRIOR_BITS);
/** Slots used by one candidate. */
export const RANKING_FEATURES = 18;

/** The properties of the whole post that ranking needs. */
export interface PostContext {
  /** Words of the post. */
  length: number;
  /** Share of words inside sentences that are capitalised. */
  capitals: number;
  /**
   * How rare a phrase is: how often the number of documents must be halved to get those that contain it; 0 to 15,
   * whole.
   */
  rarity(key: number): number;
}

/** Writes the slots of `candidate` to `slots`; every slot has weight 1. */
export function rankingSlots(candidate: Candidate, context: PostContext, slots: Int32Array): void {
  const size = candidate.words - 1;
  const rarity = context.rarity(candidate.key);
  const headRarity = context.rarity(candidate.head.key);
  const tailRarity = context.rarity(candidate.tail.key);
  const count = COUNT_BUCKETS[Math.min(candidate.count, COUNT_BUCKETS.length - 1)]!;
  const long = Math.max(0, Math.min(6, doublings(context.length + 1) - 3));
  const relative = Math.min(7, Math.floor((candidate.first / (context.length + 1)) * 8));
  const absolute = Math.min(8, doublings(candidate.first + 1));
  const inside =
    candidate.inside === 0
      ? 0
      : candidate.inside < candidate.count
        ? 1
        : candidate.inside === candidate.count
          ? 2
          : 3;
  // Lower-case forum talk, running prose and news differ in the terms that readers choose.
  const style = context.capitals < 0.002 ? 0 : context.capitals < 0.1 ? 1 : 2;
  let at = 0;
  slots[at++] = size * 8 + count;
  slots[at++] = 32 + size * 16 + rarity;
  slots[at++] = 80 + (size * 16 + headRarity) * 4 + (count > 2 ? 3 : count);
  slots[at++] = 272 + size * 16 + tailRarity;
  slots[at++] = 320 + size * 8 + relative;
  slots[at++] = 344 + size * 10 + absolute;
  slots[at++] = 376 + size * 4 + (candidate.inTitle ? 2 : 0) + (candidate.capital ? 1 : 0);
  slots[at++] = 392 + (size * 4 + inside) * 8 + count;
  slots[at++] = 488 + size * 8 + long;
  slots[at++] = 512 + (long * 16 + rarity) * 3 + size;
  slots[at++] = 896 + (candidate.tail.suffix & 511);
  slots[at++] = 1408 + (candidate.head.suffix & 511);
  slots[at++] = PLAIN_SLOTS + (mixBits(candidate.key ^ 0x1f83d9ab) >>> (32 - PRIOR_BITS));
  slots[at++] = 1920 + (long * 8 + count) * 3 + size;
  slots[at++] = 2112 + (long * 10 + absolute) * 3 + size;
  slots[at++] = 2400 + ((style * 7 + long) * 8 + count) * 3 + size;
  slots[at++] = 2912 + (style * 16 + rarity) * 3 + size;
  slots[at] = PLAIN_SLOTS + (mixBits(candidate.tail.stem ^ 0x5be0cd19) >>> (32 - PRIOR_BITS));
}

const COUNT_BUCKETS = [0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 6];

/** Integer part of the logarithm to base 2. */
function doublings(count: number): number {
  return 31 - Math.clz32(count);
}
