import { crc32, deflateSync } from 'node:zlib';
import type { ReportContentDto } from './report-content.dto.js';

/** Size in pixels: twice that at which it is shown, for sharp screens. */
const WIDTH = 1_136;
const HEIGHT = 240;
/** Background, line below, the period before, the period. */
const PALETTE = Buffer.from('ffffff' + 'c9d1d9' + '9db7d5' + '1f6feb', 'hex');
const [BACKGROUND, BASELINE, BEFORE, CURRENT] = [0, 1, 2, 3];
const BASELINE_HEIGHT = 2;

/** The bars of a trend as a PNG: the period dark, the period before light. */
export function trendPicture({ trend, period }: Pick<ReportContentDto, 'trend' | 'period'>): Buffer {
  const pixels = new Uint8Array(WIDTH * HEIGHT).fill(BACKGROUND);
  const highest = Math.max(1, ...trend.map(({ volume }) => volume));
  const step = WIDTH / Math.max(1, trend.length);
  for (const [index, { start, volume }] of trend.entries()) {
    const height = Math.ceil((volume / highest) * (HEIGHT - BASELINE_HEIGHT));
    const [left, right] = [Math.round(index * step), Math.round((index + 0.8) * step)];
    const color = new Date(start) >= new Date(period.from) ? CURRENT : BEFORE;
    for (let y = HEIGHT - BASELINE_HEIGHT - height; y < HEIGHT - BASELINE_HEIGHT; y += 1)
      pixels.fill(color, y * WIDTH + left, y * WIDTH + right);
  }
  pixels.fill(BASELINE, (HEIGHT - BASELINE_HEIGHT) * WIDTH);
  return png(pixels);
}

/** A PNG of one byte a pixel, the index of its color. */
function png(pixels: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3], 8);
  // Each row begins with a byte that says how it is filtered.
  const rows = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1)
    rows.set(pixels.subarray(y * WIDTH, (y + 1) * WIDTH), y * (WIDTH + 1) + 1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', PALETTE),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
