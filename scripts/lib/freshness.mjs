/** Decisions of prepare.mjs as pure functions, so that they can be tested. */

/**
 * Decides what has to be done to `dist`. `lastInputs` and `inputs` map a file to a text that changes with it;
 * `lastInputs` are those of the last build, null if there was none.
 *
 * @param {Record<string, string> | null} lastInputs
 * @param {Record<string, string>} inputs
 * @returns {'fresh' | 'build' | 'clean build'}
 */
export function decideBuild(lastInputs, inputs) {
  // Output of unknown origin may contain modules, even migrations, whose sources have been deleted.
  if (lastInputs === null) return 'clean build';
  if (Object.keys(lastInputs).some((file) => !(file in inputs))) return 'clean build';
  return Object.entries(inputs).some(([file, state]) => lastInputs[file] !== state) ? 'build' : 'fresh';
}

/**
 * Whether node_modules has to be installed again.
 *
 * @param {{ installedLock: string | null, installedAt: number | null, lock: string, lockAt: number }} facts
 *   the lockfile's digest that was recorded after our own install (null: none was), when npm last wrote node_modules
 *   (null: never), the lockfile's digest now, and when it was written; times in ms
 */
export function needsInstall({ installedLock, installedAt, lock, lockAt }) {
  if (installedAt === null) return true;
  return installedLock === null ? installedAt < lockAt : installedLock !== lock && installedAt < lockAt;
}
