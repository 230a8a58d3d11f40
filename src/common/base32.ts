const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;

/** Bytes in base 32 (RFC 4648), without padding. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let value = 0;
  let bits = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    for (bits += 8; bits >= BITS; value &= (1 << bits) - 1) {
      bits -= BITS;
      text += ALPHABET[value >>> bits]!;
    }
  }
  return bits > 0 ? text + ALPHABET[value << (BITS - bits)]! : text;
}
