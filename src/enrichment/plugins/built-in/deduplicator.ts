import { LRUCache } from 'lru-cache';
import type { PlatformPost } from '../../../platforms/platform.js';
import { hashText, mixBits } from '../../../common/hash.js';
import { wordsOf } from '../../text/tokens.js';
import type { PluginContext, ScrapePlugin } from '../plugin.js';
import { withoutEnding } from '../../../common/strings.js';

/** Maximum number of remembered posts; the oldest are dropped first. */
const MAX_REMEMBERED = 20_000;
/** Fingerprints of two versions of a text that differ in a few words differ in at most this many of 64 bits. */
const MAX_DISTANCE = 6;
/** Shorter texts are similar by chance. */
const FEWEST_WORDS = 12;
const SHINGLE = 3;
/** Parameters that say where a reader came from, not which page it is. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|igshid|ref|ref_src|ref_source|si|feature|share_id)$/i;

type Fingerprint = readonly [number, number];

/** A post's link without tracking parameters and host variants; null when it only links to itself. */
export function normalisedLink(post: Pick<PlatformPost, 'url' | 'postType' | 'permalink'>): string | null {
  if (post.postType === 'self' || post.url === null || !URL.canParse(post.url)) return null;
  const url = new URL(post.url);
  if (url.pathname === post.permalink) return null;
  // Every change of `url.searchParams` writes the whole address again.
  const parameters = new URLSearchParams([...url.searchParams].filter(([name]) => !TRACKING.test(name)));
  parameters.sort();
  const query = parameters.size > 0 ? `?${parameters.toString()}` : '';
  const host = url.hostname.replace(/^(?:www|m|mobile|amp|old|new)\./, '');
  return `${host}${withoutEnding(url.pathname, '/')}${query}`;
}

/** A 64-bit simhash over sequences of three words; null for short texts. */
export function fingerprint(text: string): Fingerprint | null {
  const words = wordsOf(text);
  if (words.length < FEWEST_WORDS) return null;
  const votes = new Int32Array(64);
  for (let at = 0; at + SHINGLE <= words.length; at++) {
    const low = hashText(words.slice(at, at + SHINGLE).join(' '));
    const high = mixBits(low ^ 0x9e3779b9);
    for (let bit = 0; bit < 32; bit++) {
      votes[bit]! += (low >>> bit) & 1 ? 1 : -1;
      votes[bit + 32]! += (high >>> bit) & 1 ? 1 : -1;
    }
  }
  const half = (from: number): number => {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (votes[from + bit]! > 0) bits |= 1 << bit;
    return bits >>> 0;
  };
  return [half(0), half(32)];
}

function distance(a: Fingerprint, b: Fingerprint): number {
  return bitCount(a[0] ^ b[0]) + bitCount(a[1] ^ b[1]);
}

function bitCount(value: number): number {
  let count = 0;
  for (let left = value >>> 0; left !== 0; left &= left - 1) count += 1;
  return count;
}

/**
 * Links and texts of the posts of one execution. A text is compared with those that share a byte of its fingerprint.
 */
class SeenPosts {
  private readonly links = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  private readonly texts = new LRUCache<string, Fingerprint>({
    max: MAX_REMEMBERED,
    dispose: (print, id) => this.removeBands(id, print),
  });
  private readonly bands = new Map<string, Set<string>>();

  /** Whether an earlier post has the same link or a similar text; otherwise remembers the post. */
  isRepeat(post: PlatformPost): boolean {
    const link = normalisedLink(post);
    const print = fingerprint(`${post.title} ${post.selftext}`);
    const earlier = link === null ? undefined : this.links.get(link);
    if (earlier !== undefined && earlier !== post.id) return true;
    if (print !== null && post.postType === 'self' && this.hasLike(post.id, print)) return true;
    if (link !== null) this.links.set(link, post.id);
    if (print !== null && post.postType === 'self') this.remember(post.id, print);
    return false;
  }

  private hasLike(id: string, print: Fingerprint): boolean {
    for (const band of bandsOf(print))
      for (const other of this.bands.get(band) ?? [])
        if (other !== id && distance(this.texts.peek(other)!, print) <= MAX_DISTANCE) return true;
    return false;
  }

  private remember(id: string, print: Fingerprint): void {
    // A text that is read again may have changed; `set` removes the bands of the previous one.
    this.texts.set(id, print);
    for (const band of bandsOf(print)) {
      const ids = this.bands.get(band) ?? new Set();
      this.bands.set(band, ids.add(id));
    }
  }

  private removeBands(id: string, print: Fingerprint): void {
    for (const band of bandsOf(print)) {
      const ids = this.bands.get(band);
      ids?.delete(id);
      if (ids?.size === 0) this.bands.delete(band);
    }
  }
}

/** The eight bytes with their indexes: fingerprints that differ in at most seven bits share at least one byte. */
function bandsOf(print: Fingerprint): string[] {
  return Array.from({ length: 8 }, (_, at) => `${at}:${(print[at >> 2]! >>> ((at & 3) * 8)) & 0xff}`);
}

function seenIn(context: PluginContext): SeenPosts {
  const seen = (context.memory.get('seen') as SeenPosts | undefined) ?? new SeenPosts();
  context.memory.set('seen', seen);
  return seen;
}

/** Plugin that drops reposts. */
export const deduplicator: ScrapePlugin = {
  name: 'deduplicator',
  description:
    'Skips reposts: posts whose link or nearly identical text this execution of the job has already seen.',
  onPosts: (batch, context) => {
    const seen = seenIn(context);
    return batch.filter(({ record }) => !seen.isRepeat(record));
  },
};
