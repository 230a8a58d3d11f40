import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, type Environment } from '../../config/environment.js';

const KEY_FILE = 'encryption.key';
const KEY_BYTES = 32;

/**
 * The 32-byte key that stored secrets are sealed with: `ENCRYPTION_KEY`, else the one in `DATA_DIR`, made on first use
 * and readable by its owner only. Throws {@link ConfigurationError} when the file holds something else.
 */
export async function loadEncryptionKey(
  environment: Pick<Environment, 'ENCRYPTION_KEY' | 'DATA_DIR'>,
): Promise<Buffer> {
  if (environment.ENCRYPTION_KEY !== undefined) return Buffer.from(environment.ENCRYPTION_KEY, 'hex');
  const path = join(environment.DATA_DIR, KEY_FILE);
  const text = (await readIfThere(path)) ?? (await createKey(environment.DATA_DIR, path));
  if (!/^[0-9a-f]{64}\s*$/i.test(text))
    throw new ConfigurationError(
      `${path} must hold 64 hexadecimal digits. Restore it from a backup; without it stored webhook secrets are lost`,
    );
  return Buffer.from(text.trim(), 'hex');
}

/**
 * Several processes may start at once. Each writes a whole file of its own and links it to the final name, which
 * succeeds for one of them; all then read that one's key and none ever sees half a file.
 */
async function createKey(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${randomBytes(KEY_BYTES).toString('hex')}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
