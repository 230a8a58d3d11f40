import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Skippable, skipUnless } from './skip-unless.js';

/**
 * The folder with recordings and labelled texts, which are not part of the project: `SHARED_DIR`, by default `shared`
 * beside the clone.
 */
const FOLDER = process.env.SHARED_DIR ?? '../shared';

/** The path of a file of the folder, whether it exists or not. */
export const sharedPath = (...names: string[]): string => resolve(FOLDER, ...names);

/**
 * `describe` and `it` for tests that read files of the folder, skipped where one of them is missing. The files are read
 * in tests and hooks, because the body of a skipped `describe` runs.
 */
export function withShared(...files: string[]): Skippable {
  const missing = files.map((file) => join(FOLDER, file)).filter((path) => !existsSync(path));
  return skipUnless(
    missing.length === 0,
    `${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not exist`,
  );
}
