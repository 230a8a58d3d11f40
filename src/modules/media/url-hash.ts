import { createHash } from 'node:crypto';

/** SHA-256 of an address: the key of a media file, of the same length for every address. */
export function urlHash(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}
