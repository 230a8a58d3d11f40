import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminToken, TOKEN_FILE } from './admin-token.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

describe('the admin token', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  it('is created once, in a file that only this user can read', async () => {
    const dataDir = join(folder, 'data');
    const token = await adminToken(dataDir, {});
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await stat(join(dataDir, TOKEN_FILE))).mode & 0o777).toBe(0o600);
    expect(await adminToken(dataDir, {})).toBe(token);
  });

  it('is the given one, and a new one in place of an empty file', async () => {
    expect(await adminToken(folder, { ADMIN_TOKEN: 'given' })).toBe('given');
    await writeFile(join(folder, TOKEN_FILE), '\n');
    expect(await adminToken(folder, {})).toMatch(/^[\w-]{43}$/);
  });
});
