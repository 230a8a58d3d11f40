import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Longer than any download may take. */
const STALE_AFTER_MS = 24 * 3_600_000;

/** Where files lie until their bytes are checked; below `DATA_DIR`, since a temporary folder may be small memory. */
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

  /** A new folder of the caller's own, who removes it. */
  async folder(): Promise<string> {
    await mkdir(this.root, { recursive: true });
    return mkdtemp(join(this.root, 'file-'));
  }
}
