import type { PlatformPost } from '../../../platforms/platform.js';
import { hashText, mixBits } from '../../text/hash.js';
import type { PluginContext, ScrapePlugin } from '../plugin.js';

/** Posts that are remembered; the oldest leave first. */
const MAX_REMEMBERED = 20_000;
/** Fingerprints of the same text with a few words changed differ in so few of their 64 bits. */
const MAX_DISTANCE = 6;
/** Shorter texts are too alike by chance. */
const FEWEST_WORDS = 12;
const SHINGLE = 3;
/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(?:utm_\w+|fbclid|gclid|igshid|ref|ref_src|ref_source|si|feature|share_id)$/i;

type Fingerprint = readonly [number, number];

/** The same address however it was copied; null when a post links to nothing but itself. */
export function normalisedLink(post: Pick<PlatformPost, 'url' | 'postType' | 'permalink'>): string | null {
  if (post.postType === 'self' || post.url === null || !URL.canParse(post.url)) return null;
  const url = new URL(post.url);
  if (url.pathname === post.permalink) return null;
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  const host = url.hostname.replace(/^(?:www|m|mobile|amp|old|new)\./, '');
  return `${host}${url.pathname.replace(/\/+$/, '')}${url.search}`;
}

/** A 64-bit simhash over runs of three words; null for short texts. */
export function fingerprint(text: string): Fingerprint | null {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
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

/** What one run has met. Texts are compared with those that share one of eight bytes of their fingerprint's place. */
class Met {
  private readonly links = new Map<string, string>();
  private readonly texts = new Map<string, Fingerprint>();
  private readonly bands = new Map<string, Set<string>>();

  /** Whether a like of this post came before; else it is remembered. */
  isRepeat(post: PlatformPost): boolean {
    const link = normalisedLink(post);
    const print = fingerprint(`${post.title} ${post.selftext}`);
    const earlier = link === null ? undefined : this.links.get(link);
    if (earlier !== undefined && earlier !== post.id) return true;
    if (print !== null && post.postType === 'self' && this.hasLike(post.id, print)) return true;
    if (link !== null) this.links.set(link, post.id);
    if (print !== null && post.postType === 'self') this.remember(post.id, print);
    if (this.links.size > MAX_REMEMBERED) this.links.delete(this.links.keys().next().value!);
    return false;
  }

  private hasLike(id: string, print: Fingerprint): boolean {
    for (const band of bandsOf(print))
      for (const other of this.bands.get(band) ?? [])
        if (other !== id && distance(this.texts.get(other)!, print) <= MAX_DISTANCE) return true;
    return false;
  }

  private remember(id: string, print: Fingerprint): void {
    this.texts.set(id, print);
    for (const band of bandsOf(print)) {
      const ids = this.bands.get(band) ?? new Set();
      this.bands.set(band, ids.add(id));
    }
    if (this.texts.size > MAX_REMEMBERED) this.forget(this.texts.keys().next().value!);
  }

  private forget(id: string): void {
    for (const band of bandsOf(this.texts.get(id)!)) {
      const ids = this.bands.get(band);
      ids?.delete(id);
      if (ids?.size === 0) this.bands.delete(band);
    }
    this.texts.delete(id);
  }
}

/** Eight bytes, each with its place: prints that differ in at most seven bits agree in one of them. */
function bandsOf(print: Fingerprint): string[] {
  return Array.from({ length: 8 }, (_, at) => `${at}:${(print[at >> 2]! >>> ((at & 3) * 8)) & 0xff}`);
}

function metIn(context: PluginContext): Met {
  const met = (context.memory.get('met') as Met | undefined) ?? new Met();
  context.memory.set('met', met);
  return met;
}

export const deduplicator: ScrapePlugin = {
  name: 'deduplicator',
  description:
    'Leaves out reposts: posts whose link, or whose text but for a few words, this run of the job has met before.',
  onPosts: (batch, context) => {
    const met = metIn(context);
    return batch.filter(({ record }) => !met.isRepeat(record));
  },
};
