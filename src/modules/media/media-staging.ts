import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any download may take. */
const STALE_AFTER_MS = 24 * 3_600_000;

/**
 * Holds files until their bytes are checked. Below `DATA_DIR`, because the system's temporary folder may be a small RAM
 * disk.
 */
export class MediaStaging {
  private constructor(private readonly root: string) {}

  /** Removes what killed processes left behind; other processes of the machine may be at work in it. */
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
    await mkdir(this.root, { recursive: true });
    return mkdtemp(join(this.root, 'file-'));
  }
}
