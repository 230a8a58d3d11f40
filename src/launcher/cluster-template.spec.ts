import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { removeOldTemplates } from './cluster-template.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const HOUR_SECONDS = 3_600;

it('templates that were created more than a day ago are removed', async () => {
  const templates = await temporaryFolder();
  for (const hours of [0, 23, 25]) {
    const folder = join(templates, `${hours}`);
    await mkdir(folder);
    const created = Date.now() / 1_000 - hours * HOUR_SECONDS;
    await utimes(folder, created, created);
  }
  await removeOldTemplates(templates);
  expect((await readdir(templates)).sort()).toEqual(['0', '23']);
});
