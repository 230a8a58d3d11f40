import { LeaseLost } from '../../common/leased-work.js';
import { MediaMissing, type MediaStore } from '../../content/media/media-store.js';
import type { StoredFile } from '../../http/files/stored-file.js';
import { Problem } from '../../http/problems/problem.js';
import type { WrittenPart } from './written-files.js';

/** A finished file as it is downloaded. Opening it throws 404 with the detail `missing` when its bytes are missing. */
export const storedPart = (
  store: MediaStore,
  { key, bytes, sha256 }: WrittenPart,
  { contentType, name, missing }: Pick<StoredFile, 'contentType' | 'name'> & { missing: string },
): StoredFile => ({
  contentType,
  name,
  size: bytes,
  sha256,
  open: async (range) => {
    try {
      return await store.read(key, bytes, range);
    } catch (error) {
      if (error instanceof MediaMissing) throw new Problem('not_found', missing, { cause: error });
      throw error;
    }
  },
});

/**
 * Stores a local file under a key and records it. Removes it again and throws {@link LeaseLost} when `record` returns
 * false. If the connection is lost during the commit, the part may have been recorded, so the file stays.
 */
export async function keepPart(
  store: MediaStore,
  { path, key, contentType }: { path: string; key: string; contentType: string },
  record: () => Promise<boolean>,
): Promise<void> {
  await store.requireSpace();
  try {
    await store.keep(path, key, contentType);
  } catch (error) {
    await store.remove(key).catch(() => undefined);
    throw error;
  }
  if (await record()) return;
  await store.remove(key);
  throw new LeaseLost();
}
