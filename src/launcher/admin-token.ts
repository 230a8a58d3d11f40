import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in `DATA_DIR` that contains the admin token. */
export const TOKEN_FILE = 'admin.token';

/**
 * The token of the admin API: the variable `ADMIN_TOKEN` when it is set, otherwise the content of
 * `DATA_DIR/admin.token`, which is created on first use and readable only by this user.
 */
export async function adminToken(dataDir: string, given: NodeJS.ProcessEnv): Promise<string> {
  if (given.ADMIN_TOKEN) return given.ADMIN_TOKEN;
  const file = join(dataDir, TOKEN_FILE);
  const stored = await readFile(file, 'utf8').catch(() => '');
  if (stored.trim() !== '') return stored.trim();
  const token = randomBytes(32).toString('base64url');
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${token}\n`, { mode: 0o600 });
  return token;
}
