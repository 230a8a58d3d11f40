import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Request } from 'express';
import { preferredEncoding } from './preferred-encoding.js';

/** Smaller bodies are sent as they are: compressing them saves no packet. */
const MIN_BYTES = 1_024;

type Compress = (body: Buffer) => Promise<Buffer>;

/** Encodings in order of preference among those that a client prefers equally. Node.js has zstd from 22.15 on. */
const ENCODINGS = new Map<string, Compress>([
  [
    'br',
    (body) =>
      promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(body, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: 4,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      }),
  ],
  ...('zstdCompress' in zlib
    ? [['zstd', promisify(zlib.zstdCompress as (body: Buffer, done: zlib.CompressCallback) => void)] as const]
    : []),
  ['gzip', promisify<Buffer, Buffer>(zlib.gzip)],
]);

const COMPRESSIBLE = /^(application\/(problem\+)?json|text\/(plain|html|markdown))\b/;

/** Whether bodies of a content type are compressed. Streams of events and files never are. */
export const isCompressible = (type: string): boolean => COMPRESSIBLE.test(type);

/**
 * The encoding in which a response's body is sent: the one that the client prefers. Null when it is sent as it
 * is: small bodies, other content, and bodies that are encoded already.
 */
export function encodingFor(
  request: Pick<Request, 'headers' | 'method'>,
  headers: { type: string; encoding: unknown },
  length: number,
): string | null {
  if (length < MIN_BYTES || request.method === 'HEAD') return null;
  if (headers.encoding !== undefined || !isCompressible(headers.type)) return null;
  return preferredEncoding(request, [...ENCODINGS.keys()]);
}

/** The body in an encoding of {@link encodingFor}, compressed outside of the event loop. */
export const compressed = (body: Buffer, encoding: string): Promise<Buffer> => ENCODINGS.get(encoding)!(body);
