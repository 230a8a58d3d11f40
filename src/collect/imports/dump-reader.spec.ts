import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DumpReader } from './dump-reader.js';
import { ZstdFrames } from './zstd-frames.js';

const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_one, at) =>
    JSON.stringify({
      id: (from + at).toString(36),
      text: `line ${from + at} ${'x'.repeat((from + at) % 97)}`,
    }),
  );
const textOf = (from: number, to: number): string => lines(from, to).join('\n') + '\n';

function zstd(text: string, ...options: string[]): Buffer {
  const { stdout, status } = spawnSync('zstd', ['-c', '-q', ...options], {
    input: text,
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error('The tests need the zstd command');
  return stdout;
}

describe('DumpReader', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'dump-'))));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function read(content: Buffer | string, name = 'RS.zst') {
    const file = join(folder, name);
    writeFileSync(file, content);
    const reader = new DumpReader(file);
    const found: string[] = [];
    for await (const bundle of reader.lines()) found.push(...bundle);
    return { reader, lines: found.filter((line) => line !== '') };
  }

  it.each<[string, Buffer | string, string?]>([
    ['plain, of more than a chunk', textOf(0, 15_000), 'RS.ndjson'],
    ['plain without a last line break', textOf(0, 15_000).trimEnd(), 'RS'],
    ['gzip', gzipSync(textOf(0, 15_000)), 'RS.gz'],
    ['zstd', zstd(textOf(0, 15_000))],
    ['zstd with a window of 2 GiB', zstd(textOf(0, 15_000), '--ultra', '--long=31')],
    ['zstd without a checksum', zstd(textOf(0, 15_000), '--no-check')],
    ['two frames of zstd', Buffer.concat([zstd(textOf(0, 2_000)), zstd(textOf(2_000, 15_000))])],
  ])('reads %s', async (_, content, name = 'RS.zst') => {
    const { reader, lines: found } = await read(content, name);
    expect(found).toEqual(lines(0, 15_000));
    expect([reader.damagedParts, reader.damagedLines]).toEqual([0, 0]);
    expect(reader.position).toBe(reader.size);
  });

  it('skips a skippable frame', async () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const { lines: found, reader } = await read(Buffer.concat([skippable, zstd(textOf(0, 100))]));
    expect(found).toEqual(lines(0, 100));
    expect(reader.damagedParts).toBe(0);
  });

  it.each([
    ['its content', (frame: Buffer) => frame.fill(0xa5, frame.length >> 1, (frame.length >> 1) + 40)],
    ['its end', (frame: Buffer) => frame.subarray(0, frame.length - 300)],
    ['its block headers', (frame: Buffer) => frame.fill(0xff, 8, 40)],
    ['its magic number', (frame: Buffer) => frame.fill(0, 0, 4)],
  ])('reads everything except a frame that is damaged in %s', async (_, damage) => {
    const broken = damage(Buffer.from(zstd(textOf(20_000, 40_000))));
    const content = Buffer.concat([zstd(textOf(0, 20_000)), broken, zstd(textOf(40_000, 60_000))]);
    const { reader, lines: found } = await read(content);
    const all = new Set(found);
    expect(lines(0, 20_000).every((line) => all.has(line))).toBe(true);
    expect(lines(40_000, 60_000).every((line) => all.has(line))).toBe(true);
    expect(reader.damagedParts).toBeGreaterThan(0);
  });

  it('counts a large frame that is damaged at its beginning only once', async () => {
    const large = zstd(randomBytes(2_000_000).toString('hex')).fill(0xff, 12, 60);
    const { reader, lines: found } = await read(Buffer.concat([large, zstd(textOf(0, 100))]));
    expect(found.slice(-99)).toEqual(lines(1, 100));
    expect(reader.damagedParts).toBe(1);
  });

  it('joins no line across a damaged frame of which the decoder reports no error', async () => {
    const file = join(folder, 'silent.zst');
    writeFileSync(file, Buffer.concat([zstd(textOf(0, 20_000)).fill(0xff, 8, 40), zstd(textOf(0, 9))]));
    const contents = ['whole\nhalf a li', 'ne\nlast\n'];
    const reader = new DumpReader(
      file,
      () =>
        async function* (frame) {
          for await (const part of frame) void part;
          yield Buffer.from(contents.shift()!);
        },
    );
    const found: string[] = [];
    for await (const bundle of reader.lines()) found.push(...bundle);
    expect(found.filter(Boolean)).toEqual(['whole', 'ne', 'last']);
  });

  it.each<[string, Buffer | string, string[]]>([
    ['a byte order mark', `\ufeff${textOf(0, 3)}`, lines(0, 3)],
    ['a byte order mark in gzip', gzipSync(`\ufeff${textOf(0, 3)}`), lines(0, 3)],
    ['Windows line ends and blank lines', '{}\r\n\r\n{}\r\n', ['{}', '{}']],
  ])('reads lines after %s', async (_, content, expected) => {
    const { lines: found } = await read(content, 'RS.ndjson');
    expect(found.map((line) => line.trim()).filter(Boolean)).toEqual(expected);
  });

  describe('refuses', () => {
    const tar = Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\0'), Buffer.alloc(300)]);
    const utf16 = Buffer.from('\ufeff{"id":"a"}\n', 'utf16le');
    it.each<[string, string, Buffer | string, string]>([
      ['xz', 'RS.xz', Buffer.from('fd377a585a000004', 'hex'), 'xz -dc RS.xz > RS.ndjson'],
      ['bzip2', 'RS.ndjson.bz2', Buffer.from('BZh91AY&SY'), 'bzip2 -dc RS.ndjson.bz2 > RS.ndjson'],
      ['bzip2', 'RS.zst', Buffer.from('BZh91AY&SY'), 'bzip2 -dc RS.zst > RS.ndjson'],
      ['7z', 'RS.7z', Buffer.from('377abcaf271c0004', 'hex'), '7z x -so RS.7z > RS.ndjson'],
      ['zip', 'RS 1.zip', Buffer.from('504b030414', 'hex'), "unzip -p 'RS 1.zip' > 'RS 1.ndjson'"],
      ['tar', 'RS.tar', tar, 'tar -xOf RS.tar > RS.ndjson'],
      ['tar', 'RS.tar.gz', gzipSync(tar), 'tar -xOf RS.tar.gz > RS.ndjson'],
      ['UTF-16', 'RS.json', utf16, 'iconv -f UTF-16 -t UTF-8 RS.json > RS.ndjson'],
      ['UTF-16', 'RS.gz', gzipSync(utf16), 'iconv -f UTF-16'],
      ['UTF-16', 'RS.txt', Buffer.from('{"id":"a"}', 'utf16le'), 'iconv -f UTF-16LE'],
      ['a JSON array', 'RS.json', ' \n[{"id":"a"}]', "jq -c '.[]' RS.json > RS.ndjson"],
      ['a JSON array', 'RS.ndjson', '\ufeff[]', "jq -c '.[]' RS.ndjson > RS.ndjson.ndjson"],
      ['HTML or XML', 'RS', '<!doctype html>', 'one JSON object a line'],
      ['not a dump: it is empty', 'RS.ndjson', '', 'one post or comment a line'],
      ['not a dump: nothing in it can be decompressed', 'RS.zst', 'plain text', 'one post or comment a line'],
    ])('%s by name in %s, with the command that converts it', async (name, file, content, remedy) => {
      const refused = read(content, file);
      await expect(refused).rejects.toThrow(`${file} is ${name}`);
      await expect(refused).rejects.toThrow(remedy);
    });
  });

  it('reads a damaged gzip file up to the damage', async () => {
    const { reader, lines: found } = await read(gzipSync(textOf(0, 5_000)).subarray(0, -2_000), 'RS.gz');
    expect(found.length).toBeGreaterThan(100);
    expect(reader.damagedParts).toBe(1);
  });

  it('skips a line that is longer than any record', async () => {
    const { reader, lines: found } = await read(
      `${textOf(0, 2)}${'y'.repeat(40_000_000)}\n${textOf(2, 15_000)}`,
      'RS.ndjson',
    );
    expect(found).toEqual(lines(0, 15_000));
    expect(reader.damagedLines).toBe(1);
  });

  it('throws when the file does not exist', async () => {
    await expect(new DumpReader(join(folder, 'none')).lines().next()).rejects.toThrow('ENOENT');
  });
});

describe('ZstdFrames', () => {
  const framesOf = (content: Buffer, chunkBytes: number) => {
    const frames = new ZstdFrames(() => undefined);
    const found: Buffer[][] = [[]];
    for (let at = 0; at < content.length; at += chunkBytes)
      for (const { bytes, isEnd } of frames.read(content.subarray(at, at + chunkBytes))) {
        found.at(-1)!.push(bytes);
        if (isEnd) found.push([]);
      }
    return { frames, found: found.map((parts) => Buffer.concat(parts)) };
  };

  it.each([
    ['texts', zstd(textOf(0, 300))],
    ['a byte that is repeated over many blocks', zstd('y'.repeat(1_000_000))],
  ])('finds the same frames of %s however the file is split into chunks', (_, first) => {
    const content = Buffer.concat([first, zstd(textOf(300, 900))]);
    for (const size of [1, 7, 64, content.length]) {
      const { frames, found } = framesOf(content, size);
      expect(Buffer.concat(found).equals(content)).toBe(true);
      expect(found).toHaveLength(3);
      expect(frames.isComplete).toBe(true);
    }
  });

  it('does not end a frame at an empty block that is not its last', () => {
    const [magic, header, block] = [
      [0x28, 0xb5, 0x2f, 0xfd],
      [0x20, 0],
      (isLast: boolean) => [Number(isLast), 0, 0],
    ] as const;
    const frame = Buffer.from([...magic, ...header, ...block(false), ...block(true)]);
    expect(framesOf(frame, frame.length).found.map(({ length }) => length)).toEqual([frame.length, 0]);
  });

  it('finds the frame after a damaged one, however the file is split into chunks', () => {
    const last = zstd(textOf(300, 900));
    const content = Buffer.concat([zstd(textOf(0, 300)).fill(0, 0, 4), last]);
    for (const size of [1, 2, 3, 7, content.length]) {
      const { frames, found } = framesOf(content, size);
      expect(found.map((frame) => frame.equals(last))).toEqual([true, false]);
      expect(frames.isComplete).toBe(true);
    }
  });
});
