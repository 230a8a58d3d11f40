import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any download may take. */
const STALE_AFTER_MS = 24 * 3_600_000;

/**
 * Stores files temporarily until their bytes are checked. Located below `DATA_DIR`, because the system's temporary
 * folder may be a small RAM disk.
 */
export class MediaStaging {
  private constructor(private readonly root: string) {}

  /**
   * Removes files left by killed processes, but only stale ones, because other processes on the host may be using the
   * folder.
   */
  static async open(dataDir: string, now = Date.now()): Promise<MediaStaging> {
    const root = join(dataDir, 'media-staging');
    for (const name of await readdir(root).catch(() => [])) {
      const path = join(root, name);
      const found = await stat(path).catch(() => null);
      if (found !== null && now - found.mtimeMs > STALE_AFTER_MS)
        await rm(path, { recursive: true, force: true });
    }
    return new MediaStaging(root);
  }

  /** Creates a new folder, which the caller must remove. */
  async folder(): Promise<string> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.root, 'file-'));
  }
}
