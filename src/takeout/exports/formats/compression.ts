import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { CompressionCodec } from 'hyparquet';
import { hasZstdCommand, runZstd, runZstdSync } from '../../../infrastructure/zstd-command.js';
import { snappyCompress } from './snappy.js';

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

/** How the pages of a Parquet file are compressed. */
export interface PageCompression {
  codec: CompressionCodec;
  compress: (bytes: Uint8Array) => Uint8Array;
}

/** Returns the compression of Parquet pages, Snappy for null. Throws when zstd is requested but unavailable. */
export function pageCompression(compression: Compression | null): PageCompression {
  if (compression === null) return { codec: 'SNAPPY', compress: snappyCompress };
  if (compression === 'gzip') return { codec: 'GZIP', compress: (bytes) => zlib.gzipSync(bytes) };
  if (zstdCompressSync !== undefined) return { codec: 'ZSTD', compress: zstdCompressSync };
  requireZstd();
  // By default the command omits the uncompressed size, which some readers need.
  const compress = (bytes: Uint8Array): Uint8Array => runZstdSync([`--stream-size=${bytes.length}`], bytes);
  return { codec: 'ZSTD', compress };
}

function requireZstd(): void {
  if (!hasZstd()) throw new Error('zstd needs Node.js 22.15 or later, or the zstd command');
}
