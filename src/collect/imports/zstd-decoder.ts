import { pipeline, Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { hasZstdCommand, runZstd } from '../../infrastructure/zstd-command.js';

/** Logarithm of the window size: dumps are written with windows of 2 GiB. */
const WINDOW_LOG = 31;

/** Decompresses one zstd frame. Yields everything that can be read before it throws an error. */
export type FrameDecoder = (frame: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Thrown when neither Node.js nor a `zstd` command can decompress the dump. */
export class NoZstdError extends Error {
  constructor() {
    super(
      `Node.js ${process.versions.node} cannot read zstd and there is no zstd command. Use Node.js 22.15 or newer, or install zstd (apt install zstd, brew install zstd)`,
    );
  }
}

/** Returns the available decoder: Node.js's own, or the `zstd` command. Throws {@link NoZstdError} without either. */
export function zstdDecoder(): FrameDecoder {
  return nativeDecoder() ?? commandDecoder();
}

/** Node.js supports zstd from 22.15 on; the types of earlier versions lack it. */
function nativeDecoder(): FrameDecoder | null {
  const create: unknown = Reflect.get(zlib, 'createZstdDecompress');
  const parameter: unknown = Reflect.get(zlib.constants, 'ZSTD_d_windowLogMax');
  if (!isFactory(create) || typeof parameter !== 'number') return null;
  return (frame) => {
    const stream: unknown = create({ params: { [parameter]: WINDOW_LOG } });
    if (!(stream instanceof Transform)) throw new NoZstdError();
    return pipeline(Readable.from(frame, { objectMode: false }), stream, () => undefined);
  };
}

/** Whether the value is a function that creates decompression streams. */
function isFactory(value: unknown): value is (options: object) => unknown {
  return typeof value === 'function';
}

function commandDecoder(): FrameDecoder {
  if (!hasZstdCommand()) throw new NoZstdError();
  return (frame) => runZstd(['-d', `--long=${WINDOW_LOG}`], frame);
}
