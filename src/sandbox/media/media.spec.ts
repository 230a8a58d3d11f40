import { crc32, inflateSync } from 'node:zlib';
import { mediaFile } from './media-files.js';

const file = (path: string, seed = 1): Buffer => {
  const { status, body } = mediaFile(path, seed);
  expect(status).toBe(200);
  return body as Buffer;
};

describe('mediaFile', () => {
  it('gives the same bytes for the same seed and path, and different bytes otherwise', () => {
    expect(file('/media/image/abc.png')).toEqual(file('/media/image/abc.png'));
    expect(file('/media/image/abc.png', 2)).not.toEqual(file('/media/image/abc.png'));
    expect(file('/media/image/abd.png')).not.toEqual(file('/media/image/abc.png'));
  });

  it.each(['jpg', 'png', 'gif'])('keeps %s between 0.5 and 210 KB', (extension) => {
    for (let i = 0; i < 40; i++) {
      const { length } = file(`/media/image/p${i}.${extension}`);
      expect(length).toBeGreaterThan(512);
      expect(length).toBeLessThan(210 * 1024);
    }
  });

  it('writes a PNG with correct checksums and rows', () => {
    const bytes = file('/media/image/check.png');
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    const chunks = new Map<string, Buffer>();
    for (let at = 8; at < bytes.length;) {
      const length = bytes.readUInt32BE(at);
      const typed = bytes.subarray(at + 4, at + 8 + length);
      expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
      chunks.set(typed.subarray(0, 4).toString('latin1'), typed.subarray(4));
      at += 12 + length;
    }
    const header = chunks.get('IHDR')!;
    const rowBytes = header.readUInt32BE(0) * 3 + 1;
    const rows = inflateSync(chunks.get('IDAT')!);
    expect(rows.length).toBe(rowBytes * header.readUInt32BE(4));
    for (let at = 0; at < rows.length; at += rowBytes) expect(rows[at]).toBe(0);
  });

  it('writes a JPEG whose scan decodes to its 64 blocks and nothing more', () => {
    const bytes = file('/media/image/check.jpg');
    let at = 2;
    while (bytes[at + 1] !== 0xda) {
      expect(bytes[at]).toBe(0xff);
      at += 2 + bytes.readUInt16BE(at + 2);
    }
    const scan = bytes.subarray(at + 2 + bytes.readUInt16BE(at + 2), -2);
    let bits = '';
    for (let i = 0; i < scan.length; i++) {
      if (scan[i] === 0 && scan[i - 1] === 0xff) continue;
      bits += scan[i]!.toString(2).padStart(8, '0');
    }
    let read = 0;
    for (let block = 0; block < 64; block++) {
      const size = parseInt(bits.slice(read, read + 4), 2);
      expect(size).toBeLessThan(12);
      expect(bits[read + 4 + size]).toBe('0');
      read += 5 + size;
    }
    expect(bits.slice(read)).toMatch(/^1{0,7}$/);
    expect(bytes.subarray(-2).toString('hex')).toBe('ffd9');
  });

  it('writes a GIF with one code for every pixel', () => {
    const bytes = file('/media/image/check.gif');
    const side = bytes.readUInt16LE(6);
    let codes = 0;
    let at = 13 + 128 * 3 + 10 + 1;
    for (; bytes[at] !== 0; at += 1 + bytes[at]!)
      for (const code of bytes.subarray(at + 1, at + 1 + bytes[at]!)) if (code < 128) codes++;
    expect(codes).toBe(side * side);
    expect(bytes.subarray(at).toString('hex')).toBe('003b');
  });

  it('wraps a video in MP4 boxes and sends its type', () => {
    const answer = mediaFile('/media/video/2i5ww/CMAF_720.mp4', 1);
    expect(answer.headers['content-type']).toBe('video/mp4');
    const bytes = answer.body as Buffer;
    const types: string[] = [];
    for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at))
      types.push(bytes.toString('latin1', at + 4, at + 8));
    expect(types).toEqual(['ftyp', 'free', 'mdat']);
  });

  it('answers 404 for any other file', () => {
    expect(mediaFile('/media/image/abc.exe', 1).status).toBe(404);
    expect(mediaFile('/media/../secret', 1).status).toBe(404);
  });
});
