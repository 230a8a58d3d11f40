import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^rp_[0-9A-Za-z]{46}$/;
/** Skips random bytes from this value on; otherwise the first characters of the alphabet would be more likely. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

/** Length of the part of a key that listings show. */
export const KEY_PREFIX_LENGTH = 11;

/** Generates a key: `rp_`, 40 random base62 characters, and the base62 CRC-32 of what precedes. */
export function generateKey(): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH)
    for (const byte of randomBytes(SECRET_LENGTH))
      if (byte < UNBIASED_BYTES && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % ALPHABET.length];
  const body = `rp_${secret}`;
  return body + checksum(body);
}

/** Whether the text has the format and checksum of a key. */
export function isWellFormedKey(text: string): boolean {
  return SHAPE.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** SHA-256 of the key, the only form in which it is stored. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A key as a client sent it, which may be none. */
export interface PresentedKey {
  text: string;
  hash: Buffer;
}

/** The presented key with this text, hashed once for all its uses in a request. */
export const presentedKey = (text: string): PresentedKey => ({ text, hash: hashKey(text) });

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length]! + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
