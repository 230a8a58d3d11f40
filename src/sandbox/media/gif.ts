import type { Random } from '../data/random.js';

const CLEAR = 128;
const END = 129;
/** The table is cleared before it fills, so that codes stay eight bits wide. */
const PIXELS_BETWEEN_CLEARS = 100;

/** A GIF of about the given size: noise in 128 grey tones, one code per pixel. */
export function gif(bytes: number, random: Random): Buffer {
  const side = Math.max(8, Math.floor(Math.sqrt(bytes)));
  const codes: number[] = [];
  for (let pixel = 0; pixel < side * side; pixel++) {
    if (pixel % PIXELS_BETWEEN_CLEARS === 0) codes.push(CLEAR);
    codes.push(random.next() & 127);
  }
  codes.push(END);
  const size = [side & 255, side >>> 8, side & 255, side >>> 8];
  const palette = Array.from({ length: 128 }, (_, tone) => [tone * 2, tone * 2, tone * 2]).flat();
  const blocks: Buffer[] = [];
  for (let start = 0; start < codes.length; start += 255) {
    const part = codes.slice(start, start + 255);
    blocks.push(Buffer.from([part.length, ...part]));
  }
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([...size, 0xf6, 0, 0, ...palette]),
    Buffer.from([0x2c, 0, 0, 0, 0, ...size, 0, 7]),
    ...blocks,
    Buffer.from([0, 0x3b]),
  ]);
}
