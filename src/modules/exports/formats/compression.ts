import zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import type { CompressionCodec } from 'hyparquet';
import { snappyCompress } from './snappy.js';

/** Compressions that an export can ask for. */
export const COMPRESSIONS = ['gzip', 'zstd'] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** Ends of the names of compressed text files. */
export const COMPRESSED_SUFFIX: Record<Compression, string> = { gzip: '.gz', zstd: '.zst' };

/** Functions of Node.js from 22.15 on, which the types of Node.js 20 lack. */
const { zstdCompressSync, createZstdCompress } = zlib as {
  zstdCompressSync?: (bytes: Uint8Array) => Buffer;
  createZstdCompress?: () => Transform;
};

/** Whether this process's Node.js has zstd. */
export const HAS_ZSTD = zstdCompressSync !== undefined;

/** A stream that compresses text files. Throws where the runtime lacks zstd. */
export function compressionStream(compression: Compression): Transform {
  if (compression === 'gzip') return zlib.createGzip();
  if (createZstdCompress === undefined) throw new Error(WITHOUT_ZSTD);
  return createZstdCompress();
}

/** How the pages of a Parquet file are compressed. */
export interface PageCompression {
  codec: CompressionCodec;
  compress: (bytes: Uint8Array) => Uint8Array;
}

/** Snappy for null. Throws where the runtime lacks zstd. */
export function pageCompression(compression: Compression | null): PageCompression {
  if (compression === null) return { codec: 'SNAPPY', compress: snappyCompress };
  if (compression === 'gzip') return { codec: 'GZIP', compress: (bytes) => zlib.gzipSync(bytes) };
  if (zstdCompressSync === undefined) throw new Error(WITHOUT_ZSTD);
  return { codec: 'ZSTD', compress: zstdCompressSync };
}

const WITHOUT_ZSTD = 'zstd needs Node.js 22.15 or later';
