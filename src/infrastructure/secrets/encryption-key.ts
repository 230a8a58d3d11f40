import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError, type Environment } from '../../config/environment.js';

/** File in `DATA_DIR` that contains the encryption keys. */
export const KEY_FILE = 'encryption.key';
const KEY_BYTES = 32;

/**
 * The 32-byte keys that encrypt stored secrets, the sealing key first: from `ENCRYPTION_KEY`, otherwise from the file
 * in `DATA_DIR`, which is created on first use and readable only by its owner. Throws {@link ConfigurationError} when
 * the file contains anything else.
 */
export async function loadEncryptionKeys(
  environment: Pick<Environment, 'ENCRYPTION_KEY' | 'DATA_DIR'>,
): Promise<Buffer[]> {
  const path = join(environment.DATA_DIR, KEY_FILE);
  return (
    (await readEncryptionKeys(environment)) ?? parseKeys(await createKey(environment.DATA_DIR, path), path)
  );
}

/** Like {@link loadEncryptionKeys}, but returns null when there is no key yet. */
export async function readEncryptionKeys(
  environment: Pick<Environment, 'ENCRYPTION_KEY' | 'DATA_DIR'>,
): Promise<Buffer[] | null> {
  if (environment.ENCRYPTION_KEY !== undefined) return environment.ENCRYPTION_KEY.map(toKey);
  const path = join(environment.DATA_DIR, KEY_FILE);
  const text = await readIfThere(path);
  return text === null ? null : parseKeys(text, path);
}

function parseKeys(text: string, path: string): Buffer[] {
  const keys = text.split(',').map((part) => part.trim());
  if (!keys.every((key) => /^[0-9a-f]{64}$/i.test(key)))
    throw new ConfigurationError(
      `${path} must contain keys of 64 hexadecimal digits, separated by commas. Restore it from a backup; without it, stored webhook secrets are lost`,
    );
  return keys.map(toKey);
}

function toKey(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

/**
 * Creates the file with a random key. Several processes may start at once: each writes its own complete file and links
 * it to the final name, which succeeds for only one of them. All then read that key, and none reads an incomplete file.
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
