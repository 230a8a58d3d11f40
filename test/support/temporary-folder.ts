import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedAfterTests } from './opened.js';

/** An empty folder, which is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'test-'));
  closedAfterTests(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
