/** Part of a zstd frame. The last part of a frame has `isEnd` and may be empty. */
export interface FramePart {
  bytes: Buffer;
  isEnd: boolean;
}

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAX_BLOCK_BYTES = 128 * 1_024;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

type Reading = 'magic' | 'skippable' | 'header' | 'block' | 'lost';

/**
 * Finds the frames of a zstd file from their block headers, without decompressing (RFC 8878). Where the structure is
 * damaged, the frame ends, `onDamage` is called, and the search continues at the magic number of the next frame.
 */
export class ZstdFrames {
  private buffered: Buffer = Buffer.alloc(0);
  private reading: Reading = 'magic';
  /** Number of bytes of the current block or checksum that have not arrived yet. */
  private pending = 0;
  private isLastBlock = false;
  private hasChecksum = false;
  private isSkipping = false;
  /** The bytes since the last block header. If the frame lacks bytes, they may contain the start of the next frame. */
  private block: Buffer[] = [];

  constructor(private readonly onDamage: () => void) {}

  /** Yields the parts of frames in a chunk of the file, together with the rest of earlier chunks. */
  *read(chunk: Buffer): Generator<FramePart> {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    for (;;) {
      if (this.pending > 0) {
        const bytes = this.take(Math.min(this.pending, this.buffered.length));
        if (bytes.length === 0) return;
        this.pending -= bytes.length;
        this.block.push(bytes);
        const isEnd = this.pending === 0 && this.isLastBlock;
        if (isEnd) this.reading = 'magic';
        if (!this.isSkipping) yield { bytes, isEnd };
        continue;
      }
      const needed = this.headerBytes();
      if (this.reading === 'lost' ? !this.findMagic() : this.buffered.length < needed) return;
      const part = this.readHeader();
      if (part !== null) yield part;
    }
  }

  /** Whether the file may end here: not within a frame and without leftover bytes. */
  get isComplete(): boolean {
    return this.reading === 'magic' && this.pending === 0 && this.buffered.length === 0;
  }

  private headerBytes(): number {
    if (this.reading === 'block') return 3;
    if (this.reading !== 'header') return this.reading === 'skippable' ? 8 : 4;
    const descriptor = this.buffered[4];
    return descriptor === undefined ? 5 : 4 + frameHeaderBytes(descriptor);
  }

  private readHeader(): FramePart | null {
    switch (this.reading) {
      case 'magic': {
        const magic = this.buffered.readUInt32LE(0);
        if (magic === FRAME_MAGIC) this.reading = 'header';
        else if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) this.reading = 'skippable';
        else this.loseTrack();
        return null;
      }
      case 'skippable':
        this.isSkipping = true;
        this.isLastBlock = true;
        this.pending = this.take(8).readUInt32LE(4);
        if (this.pending === 0) this.reading = 'magic';
        return null;
      case 'header': {
        const descriptor = this.buffered[4]!;
        this.isSkipping = false;
        this.isLastBlock = false;
        this.hasChecksum = (descriptor & 4) !== 0;
        this.reading = 'block';
        this.block = [];
        return { bytes: this.take(4 + frameHeaderBytes(descriptor)), isEnd: false };
      }
      case 'block':
        return this.readBlockHeader();
      case 'lost':
        this.reading = 'magic';
        return null;
    }
  }

  private readBlockHeader(): FramePart {
    const header = this.buffered.readUIntLE(0, 3);
    const type = (header >>> 1) & 3;
    const size = header >>> 3;
    if (type === 3 || size > MAX_BLOCK_BYTES) {
      this.loseTrack();
      return { bytes: Buffer.alloc(0), isEnd: true };
    }
    this.isLastBlock = (header & 1) === 1;
    this.pending = (type === 1 ? 1 : size) + (this.isLastBlock && this.hasChecksum ? 4 : 0);
    const isEnd = this.isLastBlock && this.pending === 0;
    if (isEnd) this.reading = 'magic';
    this.block = [this.take(3)];
    return { bytes: this.block[0]!, isEnd };
  }

  private loseTrack(): void {
    this.reading = 'lost';
    this.onDamage();
    this.buffered = Buffer.concat([...this.block, this.buffered]).subarray(1);
    this.block = [];
  }

  private findMagic(): boolean {
    const at = this.buffered.indexOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]));
    this.buffered = this.buffered.subarray(at === -1 ? Math.max(0, this.buffered.length - 3) : at);
    return at !== -1;
  }

  private take(length: number): Buffer {
    const bytes = this.buffered.subarray(0, length);
    this.buffered = this.buffered.subarray(length);
    return bytes;
  }
}

/** Size of a frame's header in bytes, starting at its descriptor. */
function frameHeaderBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 32) !== 0;
  const contentSize = descriptor >>> 6;
  return (
    1 +
    (isSingleSegment ? 0 : 1) +
    DICTIONARY_ID_BYTES[(descriptor & 3) as 0 | 1 | 2 | 3] +
    (contentSize === 0 && isSingleSegment ? 1 : CONTENT_SIZE_BYTES[contentSize as 0 | 1 | 2 | 3])
  );
}
