import zlib from 'node:zlib';
import type { Transform } from 'node:stream';
import type { ParquetWriter } from 'hyparquet-writer';

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

/** Codec of a Parquet file's pages and what encodes it. Throws where the runtime lacks zstd. */
export function parquetCompression(
  compression: Compression | null,
): Pick<ConstructorParameters<typeof ParquetWriter>[0], 'codec' | 'compressors'> {
  if (compression === null) return { codec: 'SNAPPY' };
  if (compression === 'gzip')
    return { codec: 'GZIP', compressors: { GZIP: (bytes) => zlib.gzipSync(bytes) } };
  if (zstdCompressSync === undefined) throw new Error(WITHOUT_ZSTD);
  return { codec: 'ZSTD', compressors: { ZSTD: zstdCompressSync } };
}

const WITHOUT_ZSTD = 'zstd needs Node.js 22.15 or later';
