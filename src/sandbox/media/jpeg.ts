import type { Random } from '../data/random.js';

const SIDE = 64;
const COMMENT_LIMIT = 60_000;

/** A baseline grey JPEG of the given size: 64 flat blocks, padded with comment segments. */
export function jpeg(bytes: number, random: Random): Buffer {
  const segments = [
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    segment(0xdb, [0, ...new Array<number>(64).fill(8)]),
    segment(0xc0, [8, 0, SIDE, 0, SIDE, 1, 1, 0x11, 0]),
    // Differences of 0 to 11 bits, each announced by a code of four bits; no other coefficient is sent.
    segment(0xc4, [0x00, ...lengths(4, 12), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
    segment(0xc4, [0x10, ...lengths(1, 1), 0]),
  ];
  for (let left = bytes - 800; left > 4; left -= COMMENT_LIMIT + 4) {
    const filling = Buffer.alloc(Math.min(left, COMMENT_LIMIT));
    for (let i = 0; i + 4 <= filling.length; i += 4) filling.writeUInt32LE(random.next(), i);
    segments.push(segment(0xfe, filling));
  }
  segments.push(segment(0xda, [1, 1, 0, 0, 63, 0]), scan(random), Buffer.from([0xff, 0xd9]));
  return Buffer.concat(segments);
}

function segment(marker: number, data: Uint8Array | number[]): Buffer {
  const length = data.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >>> 8, length & 255]), Buffer.from(data)]);
}

/** Number of codes of each length from 1 to 16. */
const lengths = (length: number, codes: number): number[] =>
  Array.from({ length: 16 }, (_, i) => (i + 1 === length ? codes : 0));

/** The picture itself: one brightness value per block, as the difference from the previous block. */
function scan(random: Random): Buffer {
  let bits = '';
  let before = 0;
  for (let block = 0; block < (SIDE / 8) ** 2; block++) {
    const level = random.int(200) - 100;
    const difference = level - before;
    before = level;
    const size = difference === 0 ? 0 : Math.floor(Math.log2(Math.abs(difference))) + 1;
    bits += size.toString(2).padStart(4, '0');
    const coded = difference > 0 ? difference : difference + 2 ** size - 1;
    if (size > 0) bits += coded.toString(2).padStart(size, '0');
    bits += '0';
  }
  bits = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const bytes: number[] = [];
  for (let i = 0; i < bits.length; i += 8) {
    const byte = parseInt(bits.slice(i, i + 8), 2);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
}
