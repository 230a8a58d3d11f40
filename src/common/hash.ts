/** Hash of the empty text; see {@link addToHash}. */
export const EMPTY_HASH = 0x811c9dc5 | 0;

/** Extends the hash of a text by one UTF-16 code unit (FNV-1a). Its low bits are weak: see {@link mixBits}. */
export function addToHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** 32-bit hash of a text in which all bits are usable. The trained weights depend on it. */
export function hashText(text: string): number {
  let hash = EMPTY_HASH;
  for (let at = 0; at < text.length; at++) hash = addToHash(hash, text.charCodeAt(at));
  return mixBits(hash);
}

/** Spreads every bit of a 32-bit number over all of them (MurmurHash3's finaliser); not negative. */
export function mixBits(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
