import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaStaging } from './media-staging.js';

describe('MediaStaging', () => {
  it('removes files left by a killed process once they are a day old', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'media-staging-'));
    try {
      const staging = await MediaStaging.open(dataDir);
      const folder = await staging.folder();
      const left = () => readdir(join(dataDir, 'media-staging'));
      await MediaStaging.open(dataDir);
      expect(await left()).toEqual([folder.split('/').at(-1)]);
      await MediaStaging.open(dataDir, Date.now() + 25 * 3_600_000);
      expect(await left()).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
