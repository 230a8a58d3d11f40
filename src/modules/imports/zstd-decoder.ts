import { pipeline, Readable, Transform } from 'node:stream';
import zlib from 'node:zlib';
import { hasZstdCommand, runZstd } from '../../infrastructure/zstd-command.js';

/** Dumps are written with windows of 2 GiB. */
const WINDOW_LOG = 31;

/** Decompresses one zstd frame. Throws what makes it unreadable, after everything that could be read. */
export type FrameDecoder = (frame: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** Neither this Node.js nor a `zstd` command can decompress the dump. */
export class NoZstdError extends Error {
  constructor() {
    super(
      `Node.js ${process.versions.node} cannot read zstd and there is no zstd command. Use Node.js 22.15 or newer, or install zstd (apt install zstd, brew install zstd)`,
    );
  }
}

/** The decoder of this machine: Node.js's own, else the `zstd` command. Throws {@link NoZstdError} without either. */
export function zstdDecoder(): FrameDecoder {
  return nativeDecoder() ?? commandDecoder();
}

/** Node.js has zstd from 22.15 on; its types of earlier versions do not know it. */
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

/** Whether the value makes decompressing streams. */
function isFactory(value: unknown): value is (options: object) => unknown {
  return typeof value === 'function';
}

function commandDecoder(): FrameDecoder {
  if (!hasZstdCommand()) throw new NoZstdError();
  return (frame) => runZstd(['-d', `--long=${WINDOW_LOG}`], frame);
}
