import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportedRow } from './exported-table.js';
import { encodedInSlices, type FileEncoder } from './formats/file-encoder.js';

/** Limits of a file. The batch that reaches one is its last; bytes are counted before a compression of the whole file. */
export interface PartLimits {
  rows: number;
  bytes: number;
}

/** A file that was written. */
export interface WrittenFile {
  rows: number;
  bytes: number;
  /** In hex. */
  sha256: string;
  /** Null for a file without rows. */
  lastRow: ExportedRow | null;
  /** Whether a limit was reached, so that more rows may follow in another file. */
  isFull: boolean;
}

/** Writes batches of rows to a local file until a limit is reached. `wrap` compresses the file as a whole. */
export async function writePart(
  batches: AsyncIterable<ExportedRow[]>,
  encoder: FileEncoder,
  { path, limits, signal }: { path: string; limits: PartLimits; signal: AbortSignal },
  wrap: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> = (bytes) => bytes,
): Promise<WrittenFile> {
  const written = { rows: 0, bytes: 0, lastRow: null as ExportedRow | null, isFull: false };
  const encode = async function* (): AsyncGenerator<Uint8Array> {
    let encoded = 0;
    for await (const rows of batches) {
      const bytes = await encodedInSlices(encoder, rows);
      written.rows += rows.length;
      written.lastRow = rows.at(-1) ?? written.lastRow;
      written.isFull = written.rows >= limits.rows || (encoded += bytes.length) >= limits.bytes;
      if (bytes.length > 0) yield bytes;
      if (written.isFull) break;
    }
    yield encoder.end();
  };
  const hash = createHash('sha256');
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      written.bytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(wrap(encode()), count, createWriteStream(path, { mode: 0o600 }), { signal });
  return { ...written, sha256: hash.digest('hex') };
}
