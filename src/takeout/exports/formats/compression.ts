import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { hasZstdCommand, runZstd, runZstdSync } from '../../../infrastructure/zstd-command.js';

/** The compressions available for exports. */
export const COMPRESSIONS = ['gzip', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** File name suffixes of compressed text files. */
export const COMPRESSED_SUFFIX: Record<Compression, string> = { gzip: '.gz', zstd: '.zst' };

/** These functions exist from Node.js 22.15 on; the types of Node.js 20 lack them. */
const { zstdCompressSync, createZstdCompress } = zlib as {
  zstdCompressSync?: (bytes: Uint8Array) => Buffer;
  createZstdCompress?: () => Transform;
};

let hasCommand: boolean | undefined;

/** Whether zstd is available, in Node.js or as the `zstd` command. */
export const hasZstd = (): boolean => createZstdCompress !== undefined || (hasCommand ??= hasZstdCommand());

/** Compresses a text file. Throws when zstd is requested but unavailable. */
export function compressed(
  compression: Compression,
  text: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  if (compression === 'zstd' && createZstdCompress === undefined) {
    requireZstd();
    return runZstd([], text);
  }
  const stream = compression === 'gzip' ? zlib.createGzip() : createZstdCompress!();
  // A failure of the text is thrown where the stream is read.
  return pipeline(Readable.from(text, { objectMode: false }), stream, () => undefined);
}

/** Functions that compress the pages of Parquet files, by the name of the codec; Snappy is that of the package. */
export const PAGE_COMPRESSORS = {
  GZIP: (bytes: Uint8Array): Uint8Array => zlib.gzipSync(bytes),
  /** Throws when zstd is unavailable. */
  ZSTD(bytes: Uint8Array): Uint8Array {
    if (zstdCompressSync !== undefined) return zstdCompressSync(bytes);
    requireZstd();
    // By default the command omits the uncompressed size, which some readers need.
    return runZstdSync([`--stream-size=${bytes.length}`], bytes);
  },
};

function requireZstd(): void {
  if (!hasZstd()) throw new Error('zstd needs Node.js 22.15 or later, or the zstd command');
}
