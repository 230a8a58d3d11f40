import { createHash } from 'node:crypto';

/** SHA-256 of an address: the key by which media are told apart, whatever the length of the address. */
export function urlHash(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}
