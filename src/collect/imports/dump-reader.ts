import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { HEAD_BYTES, refuseOtherFormats, refuseUnreadable } from './dump-format.js';
import { type FrameDecoder, zstdDecoder } from './zstd-decoder.js';
import { type FramePart, ZstdFrames } from './zstd-frames.js';

const CHUNK_BYTES = 1_024 * 1_024;
/** Longer lines count as damaged: the longest posts have a few hundred kilobytes. */
const MAX_LINE_BYTES = 16 * 1_024 * 1_024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const EMPTY_LINE = Buffer.from('\n\n');

/** Marks missing bytes: the next chunk does not continue the last one. */
const GAP = Symbol('gap');

/**
 * Reads a dump's lines: newline-delimited JSON, either plain or compressed with zstd or gzip, detected from its first
 * bytes.
 */
export class DumpReader {
  /** Size of the file in bytes. */
  size = 0;
  /** Number of bytes of the file read so far. */
  position = 0;
  /** Number of compressed parts that could not be read; each is skipped up to the next readable one. */
  damagedParts = 0;
  /** Number of lines that are longer than any record. */
  damagedLines = 0;

  constructor(
    private readonly file: string,
    private readonly decoder: () => FrameDecoder = zstdDecoder,
  ) {}

  /**
   * Yields the lines in order, in groups, without line breaks. Throws `NotADump` when the file is of another kind, is
   * empty or cannot be decompressed at all.
   */
  async *lines(): AsyncGenerator<string[]> {
    let rest = Buffer.alloc(0);
    let isOverlong = false;
    let isFirst = true;
    for await (const found of await this.content()) {
      if (found === GAP) {
        rest = Buffer.alloc(0);
        continue;
      }
      let chunk = found;
      if (isFirst) {
        refuseOtherFormats(chunk.subarray(0, HEAD_BYTES), this.file);
        if (chunk.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) chunk = chunk.subarray(3);
        isFirst = false;
      }
      const end = chunk.lastIndexOf(10);
      if (end === -1) {
        rest = Buffer.concat([rest, chunk]);
        if (rest.length <= MAX_LINE_BYTES) continue;
        rest = Buffer.alloc(0);
        isOverlong = true;
        continue;
      }
      const whole = Buffer.concat([rest, chunk.subarray(0, end)]).toString('utf8');
      const lines = whole.split('\n');
      if (isOverlong) {
        this.damagedLines += 1;
        lines.shift();
        isOverlong = false;
      }
      yield lines;
      rest = Buffer.from(chunk.subarray(end + 1));
    }
    if (isFirst)
      refuseUnreadable(this.file, this.size === 0 ? 'it is empty' : 'nothing in it can be decompressed');
    if (rest.length > 0) yield [rest.toString('utf8')];
  }

  /**
   * Yields the decompressed bytes as they are; an empty line stands for a part that cannot be read. Throws `NotADump`
   * when the file is of another kind.
   */
  async *bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of await this.content()) yield chunk === GAP ? EMPTY_LINE : chunk;
  }

  private async content(): Promise<AsyncIterable<Buffer | typeof GAP>> {
    this.size = (await stat(this.file)).size;
    const handle = await open(this.file);
    const magic = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await handle.read(magic, 0, HEAD_BYTES, 0);
    await handle.close();
    refuseOtherFormats(magic.subarray(0, bytesRead), this.file);
    if (magic.readUInt16BE(0) === 0x1f8b) return this.gunzipped();
    const isZstd = magic.readUInt32LE(0) === 0xfd2fb528 || this.file.endsWith('.zst');
    return isZstd ? this.frames(this.decoder()) : this.raw();
  }

  private async *raw(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.file, { highWaterMark: CHUNK_BYTES })) {
      const bytes = chunk as Buffer;
      this.position += bytes.length;
      yield bytes;
    }
  }

  private async *gunzipped(): AsyncGenerator<Buffer> {
    const gunzip = createGunzip();
    const feed = createReadStream(this.file, { highWaterMark: CHUNK_BYTES });
    feed.on('data', (chunk) => (this.position += chunk.length));
    feed.on('error', (error) => gunzip.destroy(error));
    feed.pipe(gunzip);
    try {
      for await (const chunk of gunzip) yield chunk as Buffer;
    } catch {
      // Nothing after the damaged part of a gzip stream can be read.
      this.damagedParts += 1;
      this.position = this.size;
    } finally {
      feed.destroy();
    }
  }

  /** Decompresses frame by frame. A damaged frame is read up to the damage; the rest of it is skipped. */
  private async *frames(decode: FrameDecoder): AsyncGenerator<Buffer | typeof GAP> {
    const structure = new ZstdFrames(() => (this.damagedParts += 1));
    const parts = this.parts(structure);
    for (let first = await parts.next(); !first.done; first = await parts.next()) {
      const frame = new Frame(parts, first.value);
      const damagedBefore = this.damagedParts;
      try {
        yield* decode(frame.bytes());
        if (this.damagedParts > damagedBefore) yield GAP;
      } catch {
        if (this.damagedParts === damagedBefore) this.damagedParts += 1;
        yield GAP;
      }
      await frame.skip();
    }
    if (!structure.isComplete) this.damagedParts += this.damagedParts === 0 ? 1 : 0;
  }

  private async *parts(structure: ZstdFrames): AsyncGenerator<FramePart> {
    for await (const chunk of this.raw()) yield* structure.read(chunk);
  }
}

/** The parts of one frame. A decoder that fails may leave some of them unread. */
class Frame {
  private reading: Promise<unknown> = Promise.resolve();
  private hasEnded = false;

  constructor(
    private readonly parts: AsyncIterator<FramePart>,
    private readonly first: FramePart,
  ) {
    this.hasEnded = first.isEnd;
  }

  async *bytes(): AsyncGenerator<Buffer> {
    yield this.first.bytes;
    for (let part = await this.next(); part !== null; part = await this.next())
      if (part.bytes.length > 0) yield part.bytes;
  }

  /** Skips the rest of the frame. */
  async skip(): Promise<void> {
    await this.reading;
    while ((await this.next()) !== null);
  }

  private async next(): Promise<FramePart | null> {
    if (this.hasEnded) return null;
    const reading = this.parts.next();
    this.reading = reading;
    const part = await reading;
    this.hasEnded = part.done === true || part.value.isEnd;
    return part.done === true ? null : part.value;
  }
}
