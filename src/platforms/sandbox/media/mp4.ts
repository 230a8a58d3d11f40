import type { Random } from '../data/random.js';

/** The boxes that every MP4 begins with, and noise in place of frames: detected, stored and hashed as a video, not playable. */
export function mp4(bytes: number, random: Random): Buffer {
  const payload = Buffer.alloc(Math.max(16, bytes - 48));
  for (let i = 0; i + 4 <= payload.length; i += 4) payload.writeUInt32LE(random.next(), i);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1')),
    box('free', Buffer.alloc(0)),
    box('mdat', payload),
  ]);
}

function box(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data]);
}
