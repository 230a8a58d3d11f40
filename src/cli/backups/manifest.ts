import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { KEY_FILE } from '../../infrastructure/secrets/encryption-key.js';
import { TOKEN_FILE } from '../../launcher/admin-token.js';
import { WORKSPACE_FILE } from '../../launcher/harness.js';

const MANIFEST_FILE = 'manifest.json';
const FORMAT = 1;

/** Name of the file that lists the stored files of a backup, one JSON object per line. */
export const STORED_FILES_LIST = 'media.ndjson';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const name = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** A file of the backup, never one outside its folder. */
const tableFile = z.string().regex(/^tables\/[a-z_][a-z0-9_]*\.copy\.gz$/);

const manifestShape = z.object({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  serviceVersion: z.string(),
  postgresVersion: z.string(),
  /** Names of the migrations that have created the schema, e.g. `Baseline1800000200000`. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: count, file: tableFile, sha256 })),
  sequences: z.array(z.object({ name, lastValue: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })),
  media: z.object({
    files: count,
    bytes: count,
    sha256,
    /** Files that rows refer to but that the media store lacked or had with different bytes. */
    unavailable: z.array(z.string()),
  }),
  keys: z.array(z.object({ name: z.string().regex(/^[a-z]+\.[a-z]+$/), sha256 })),
});

/** The contents of a backup. A folder without a manifest is not a complete backup. */
export type Manifest = z.infer<typeof manifestShape>;
/** A table in a backup: its columns in the order of the file, and its number of rows. */
export type DumpedTable = Manifest['tables'][number];
/** A sequence in a backup and its state. */
export type DumpedSequence = Manifest['sequences'][number];

/** A file in the media store that a row refers to. */
export const storedFileShape = z.object({
  key: z.string().regex(/^(?!.*\.\.)[\w-]+(\/[\w.-]+)+$/),
  bytes: count,
  sha256,
  contentType: z.string(),
});
export type StoredFile = z.infer<typeof storedFileShape>;

/** Writes the manifest, which completes the backup. The file appears complete or not at all. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const draft = join(folder, `${MANIFEST_FILE}.part`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, MANIFEST_FILE));
}

/** Reads the manifest of a backup. Throws a sentence for the operator when the folder contains no complete backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => null);
  if (text === null)
    throw new Error(
      `${folder} is not a complete backup: ${MANIFEST_FILE}, which is written last, is missing`,
    );
  const parsed = manifestShape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `${join(folder, MANIFEST_FILE)} cannot be read (${issue?.path.join('.')}: ${issue?.message}). Use the version that made the backup, or another backup`,
  );
}

/** Throws a sentence for the operator unless the file has this hash. */
export async function requireUnchanged(folder: string, file: string, expected: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, file)), hash).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error(`${file} is missing in the backup ${folder}`);
    throw error;
  });
  if (hash.digest('hex') !== expected)
    throw new Error(
      `${file} of the backup ${folder} was changed or damaged: its SHA-256 differs from the manifest`,
    );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A stream that passes its bytes through unchanged and adds them to the hash. */
export function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

/**
 * Files in `DATA_DIR` that a backup contains: keys that were generated on this machine. The password of Postgres is not
 * among them, because a restore generates a new one.
 */
export const KEY_FILES: readonly string[] = [KEY_FILE, TOKEN_FILE, WORKSPACE_FILE];
