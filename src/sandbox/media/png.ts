import { crc32, deflateSync } from 'node:zlib';
import type { Random } from '../data/random.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A true-colour PNG of about the given size, filled with noise. */
export function png(bytes: number, random: Random): Buffer {
  const width = Math.max(8, Math.floor(Math.sqrt(bytes / 3)));
  const height = Math.max(8, Math.floor(bytes / (width * 3 + 1)));
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let i = 0; i + 4 <= rows.length; i += 4) rows.writeUInt32LE(random.next(), i);
  // Each row begins with its filter type: none.
  for (let row = 0; row < height; row++) rows[row * (width * 3 + 1)] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // Level 0 stores the bytes uncompressed, which every version of zlib does in the same way.
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(typed), 4);
  return Buffer.concat([frame.subarray(0, 4), typed, frame.subarray(4)]);
}
