import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MediaStaging } from './media-staging.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

describe('MediaStaging', () => {
  it('removes files left by a killed process once they are a day old', async () => {
    const dataDir = await temporaryFolder();
    const staging = await MediaStaging.open(dataDir);
    const folder = await staging.folder();
    const left = () => readdir(join(dataDir, 'media-staging'));
    await MediaStaging.open(dataDir);
    expect(await left()).toEqual([folder.split('/').at(-1)]);
    await MediaStaging.open(dataDir, Date.now() + 25 * 3_600_000);
    expect(await left()).toEqual([]);
  });
});
