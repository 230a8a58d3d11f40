import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import QueryStream from 'pg-query-stream';
import { STORED_DATASET_PARTS } from '../../takeout/datasets/datasets.repository.js';
import { STORED_EXPORT_PARTS } from '../../takeout/exports/export-jobs.repository.js';
import { STORED_MEDIA_FILES } from '../../content/media/media.repository.js';
import { MediaMissing, type MediaStore } from '../../content/media/media-store.js';
import { hashing, STORED_FILES_LIST, storedFileShape, type Manifest, type StoredFile } from './manifest.js';

const FOLDER = 'media';
/** Number of files copied at a time. */
const CONCURRENCY = 8;
/** Two posts with the same bytes share one file. */
const STORED_FILES = `SELECT DISTINCT ON (key) key, bytes::float8 AS bytes, sha256, content_type AS "contentType"
  FROM (${STORED_MEDIA_FILES} UNION ALL ${STORED_EXPORT_PARTS} UNION ALL ${STORED_DATASET_PARTS}) AS files`;

/** Writes the list of files that the rows refer to, as the client's transaction sees them. */
export async function listStoredFiles(client: pg.Client, folder: string): Promise<void> {
  const rows = client.query(new QueryStream(STORED_FILES));
  const lines = async function* (): AsyncGenerator<string> {
    for await (const row of rows) yield `${JSON.stringify(row)}\n`;
  };
  await pipeline(lines, createWriteStream(join(folder, STORED_FILES_LIST), { mode: 0o600, flush: true }));
}

/**
 * Copies the listed files out of the media store, except those already copied. Returns as `unavailable` the keys of
 * files that the store lacks or has with different bytes.
 */
export async function copyStoredFiles(store: MediaStore, folder: string): Promise<Manifest['media']> {
  const copied = { files: 0, bytes: 0, unavailable: [] as string[] };
  await forEachStoredFile(folder, async (file) => {
    if (!(await copyOut(store, file, join(folder, FOLDER, file.key)))) {
      copied.unavailable.push(file.key);
      return;
    }
    copied.files += 1;
    copied.bytes += file.bytes;
  });
  const hash = createHash('sha256');
  await pipeline(createReadStream(join(folder, STORED_FILES_LIST)), hash);
  return { ...copied, unavailable: copied.unavailable.sort(), sha256: hash.digest('hex') };
}

/** Returns those keys that rows still refer to. */
export async function stillNamed(client: pg.Client, keys: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT key FROM (${STORED_FILES}) AS named WHERE key = ANY($1)`,
    [keys],
  );
  return rows.map(({ key }) => key);
}

/**
 * Copies every file of a backup into the media store and returns their number. Throws when a file is missing or
 * changed.
 */
export async function restoreStoredFiles(
  store: MediaStore,
  folder: string,
  { unavailable }: Manifest['media'],
): Promise<number> {
  const absent = new Set(unavailable);
  let files = 0;
  await forEachStoredFile(folder, async ({ key, sha256, contentType }) => {
    if (absent.has(key)) return;
    const path = join(folder, FOLDER, key);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    if (hash.digest('hex') !== sha256)
      throw new Error(`${FOLDER}/${key} of the backup ${folder} was changed or damaged`);
    await store.keep(path, key, contentType);
    files += 1;
  });
  return files;
}

async function copyOut(
  store: MediaStore,
  { key, bytes, sha256 }: StoredFile,
  path: string,
): Promise<boolean> {
  if ((await stat(path).catch(() => null))?.size === bytes) return true;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  try {
    await pipeline(
      await store.read(key, bytes),
      hashing(hash),
      createWriteStream(path, { mode: 0o600, flush: true }),
    );
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof MediaMissing || (error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if (hash.digest('hex') === sha256) return true;
  await rm(path);
  return false;
}

async function forEachStoredFile(folder: string, work: (file: StoredFile) => Promise<void>): Promise<void> {
  const list = await open(join(folder, STORED_FILES_LIST));
  let batch: StoredFile[] = [];
  for await (const line of createInterface({ input: list.createReadStream() })) {
    batch.push(storedFileShape.parse(JSON.parse(line)));
    if (batch.length < CONCURRENCY) continue;
    await Promise.all(batch.map(work));
    batch = [];
  }
  await Promise.all(batch.map(work));
}
