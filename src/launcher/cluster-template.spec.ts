import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeOldTemplates } from './cluster-template.js';

const HOUR_SECONDS = 3_600;

it('templates that were created more than a day ago are removed', async () => {
  const templates = await mkdtemp(join(tmpdir(), 'templates-'));
  for (const hours of [0, 23, 25]) {
    const folder = join(templates, `${hours}`);
    await mkdir(folder);
    const created = Date.now() / 1_000 - hours * HOUR_SECONDS;
    await utimes(folder, created, created);
  }
  await removeOldTemplates(templates);
  expect((await readdir(templates)).sort()).toEqual(['0', '23']);
  await rm(templates, { recursive: true });
});
