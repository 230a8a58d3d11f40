import { type Answer, notFound } from '../server/answer.js';
import { fraction, hashText, Random } from '../data/random.js';
import { gif } from './gif.js';
import { jpeg } from './jpeg.js';
import { png } from './png.js';

const SMALLEST = 1_024;
const LARGEST = 200 * 1_024;
/** Maximum size of previews in bytes, whatever the size of the original. */
const LARGEST_PREVIEW = 12 * 1_024;

const KINDS = {
  jpg: { type: 'image/jpeg', make: jpeg },
  png: { type: 'image/png', make: png },
  gif: { type: 'image/gif', make: gif },
  mp4: { type: 'video/mp4', make: mp4 },
} as const;

const IMAGE = /^\/media\/(image|preview)\/(\w+)\.(jpg|png|gif)$/;
const STREAM = /^\/media\/video\/\w+\/(?:CMAF_(?:96|480|720)|CMAF_AUDIO_(?:64|128))\.(mp4)$/;

/** The response for a `/media/…` path: the same bytes for the same seed and path, 1 to 200 KB. */
export function mediaFile(path: string, seed: number): Answer {
  const image = IMAGE.exec(path);
  const extension = image?.[3] ?? STREAM.exec(path)?.[1];
  if (!isKind(extension)) return notFound();
  const bits = hashText(seed, path);
  const largest = image?.[1] === 'preview' ? LARGEST_PREVIEW : LARGEST;
  const size = Math.round(SMALLEST * (largest / SMALLEST) ** fraction(bits));
  const { type, make } = KINDS[extension];
  return {
    status: 200,
    headers: { 'content-type': type, 'cache-control': 'public, max-age=31536000' },
    body: make(size, new Random(bits)),
  };
}

const isKind = (extension: string | undefined): extension is keyof typeof KINDS =>
  extension !== undefined && extension in KINDS;

/**
 * The boxes that every MP4 begins with, and noise in place of frames. Detected, stored and hashed as a video, but not
 * playable.
 */
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
