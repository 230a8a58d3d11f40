import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { Environment } from '../../config/environment.js';
import { configuredAgents } from '../../infrastructure/outbound-http/configured-fetch.js';
import { S3_COMPATIBLE } from '../../infrastructure/s3-compatible.js';
import type { ByteRange } from '../../http/files/byte-range.js';
import type { RemovableFile } from './media.repository.js';

/** A medium is not downloaded or not stored; the message states the reason, for the log. */
export class MediaRefused extends Error {}

/** The store has no file under the key, or one of a different size. */
export class MediaMissing extends Error {}

/** Stores files in a folder or in an S3-compatible bucket. A file is either stored completely or not at all. */
export class MediaStore {
  private constructor(
    private readonly disk: Disk,
    /** Null for a bucket. */
    private readonly folder: string | null,
    private readonly minFreeBytes: number,
  ) {}

  /**
   * Opens the store that the environment configures: `MEDIA_S3_BUCKET`, otherwise `MEDIA_DIR`, otherwise
   * `DATA_DIR/media`.
   */
  static async open(environment: Environment): Promise<MediaStore> {
    const { MEDIA_MIN_FREE_BYTES: minFreeBytes } = environment;
    if (environment.MEDIA_S3_BUCKET === undefined) {
      const folder = environment.MEDIA_DIR ?? join(environment.DATA_DIR, 'media');
      const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
      return new MediaStore(disk, folder, minFreeBytes);
    }
    // Loading takes half a second and is only needed for buckets.
    const { S3Driver } = await import('flydrive/drivers/s3');
    const { MEDIA_S3_ACCESS_KEY_ID: accessKeyId, MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = environment;
    const { http: httpAgent, https: httpsAgent } = configuredAgents();
    const bucket = new S3Driver({
      requestHandler: { httpAgent, httpsAgent },
      bucket: environment.MEDIA_S3_BUCKET,
      region: environment.MEDIA_S3_REGION,
      visibility: 'private',
      supportsACL: false,
      ...(environment.MEDIA_S3_ENDPOINT !== undefined && {
        ...S3_COMPATIBLE,
        endpoint: environment.MEDIA_S3_ENDPOINT,
      }),
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
    });
    return new MediaStore(new Disk(bucket), null, minFreeBytes);
  }

  /** Throws {@link MediaRefused} when the folder's disk has less free space than the configured minimum. */
  async requireSpace(): Promise<void> {
    if (this.folder === null) return;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.folder);
    const free = bavail * bsize;
    if (free < this.minFreeBytes)
      throw new MediaRefused(
        `the disk of the media has ${free} bytes free; MEDIA_MIN_FREE_BYTES is ${this.minFreeBytes}`,
      );
  }

  /**
   * Stores a local file under a key derived from its content. Does nothing and returns false when the complete file is
   * already stored.
   */
  async keep(path: string, key: string, contentType: string): Promise<boolean> {
    const { size } = await stat(path);
    if ((await this.sizeOf(key)) === size) return false;
    if (this.folder === null) await this.disk.copyFromFs(path, key, { contentType });
    else await copyAtomically(path, join(this.folder, key));
    return true;
  }

  /** Deletes a file; does nothing when it does not exist. */
  async remove(key: string): Promise<void> {
    await this.disk.delete(key);
  }

  /**
   * Deletes files and returns the ids of their records, which the caller deletes next: in this order a crash never
   * leaves a file without a record. Bytes shared with a remaining file are kept.
   */
  async removeUnshared(files: readonly RemovableFile[]): Promise<string[]> {
    for (const { path, isShared } of files) if (!isShared) await this.remove(path);
    return files.map(({ id }) => id);
  }

  /**
   * Streams the stored bytes, or a part of them; resolves once they can be read. Throws {@link MediaMissing} unless there
   * are exactly `size` bytes.
   */
  async read(key: string, size: number, range: ByteRange | null = null): Promise<Readable> {
    const stored = await this.sizeOf(key);
    if (stored !== size)
      throw new MediaMissing(`${key}: ${stored === null ? 'no file' : `${stored} instead of ${size} bytes`}`);
    const stream = await this.open(key, range);
    await once(stream, 'readable');
    return stream;
  }

  private async open(key: string, range: ByteRange | null): Promise<Readable> {
    if (range !== null && this.folder !== null)
      return createReadStream(join(this.folder, key), { start: range.first, end: range.last });
    const whole = await this.disk.getStream(key);
    return range === null ? whole : Readable.from(partOf(whole, range), { objectMode: false });
  }

  /** Removes every file whose key is below a folder; does nothing when there is none. */
  async removeFolder(folder: string): Promise<void> {
    await this.disk.deleteAll(folder);
  }

  /** Size in bytes of the file under a key; null when there is none. */
  private async sizeOf(key: string): Promise<number | null> {
    try {
      return (await this.disk.getMetaData(key)).contentLength;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }
}

/**
 * Copies to a temporary name in the target's folder, then renames, so that a crash leaves no truncated file under the
 * target's name.
 */
async function copyAtomically(path: string, target: string): Promise<void> {
  const folder = dirname(target);
  const part = `${target}.${randomUUID()}.part`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await copyFile(path, part);
    await chmod(part, 0o600);
    await sync(part);
    await rename(part, target);
    await sync(folder);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Flushes a file, or a folder's entries, to disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A part of a stream, which is not read beyond it. */
async function* partOf(stream: Readable, { first, last }: ByteRange): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    const part = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
    at += bytes.length;
    if (part.length > 0) yield part;
    if (at > last) return;
  }
}

/** A folder reports `ENOENT`; S3 reports `NoSuchKey`, or `NotFound` for HEAD. */
function isMissing(error: unknown): boolean {
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown };
  return (
    code === 'ENOENT' ||
    name === 'NoSuchKey' ||
    name === 'NotFound' ||
    (cause !== undefined && isMissing(cause))
  );
}
