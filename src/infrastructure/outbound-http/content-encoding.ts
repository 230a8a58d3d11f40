import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';

/** An empty body has no end of its encoding; HTTP itself shows where a body is cut off. */
const unzip = (): Transform => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
const DECODERS: Readonly<Record<string, () => Transform[]>> = {
  gzip: () => [unzip()],
  'x-gzip': () => [unzip()],
  deflate: () => [withZlibHeader(), unzip()],
  br: () => [createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
};
const ZLIB_HEADER = Buffer.from([0x78, 0x9c]);

/** Some servers send `deflate` without the header of zlib, which is put before it. */
function withZlibHeader(): Transform {
  let isFirst = true;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const hasHeader = (chunk[0]! & 0x0f) === 8 || chunk[0] === 0x1f;
      if (isFirst && !hasHeader) this.push(ZLIB_HEADER);
      isFirst = false;
      done(null, chunk);
    },
  });
}

/**
 * The body of a response without its `Content-Encoding`, since some servers compress unasked. A body in an unknown
 * encoding is left as it is; one that is not in the stated encoding ends with an error of zlib.
 */
export function decodedBody(response: IncomingMessage): Readable {
  const encodings = (response.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const names = encodings.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0 || !names.every((name) => Object.hasOwn(DECODERS, name))) return response;
  const decoders = names.reverse().flatMap((name) => DECODERS[name]!());
  // An error reaches the reader through the last stream, which it destroys.
  pipeline([response, ...decoders], () => undefined);
  return decoders.at(-1)!;
}
