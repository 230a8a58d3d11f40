import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const UNDEFINED_TABLE = '42P01';

/** Folder of the migrations of this build. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');

/**
 * The files of the migrations with these names, or of all. Throws a message for the operator when this build lacks one
 * of them.
 *
 * @param names as TypeORM records them, ending with the number that also begins the file's name
 */
export async function migrationFiles(names?: readonly string[]): Promise<string[]> {
  const files = (await readdir(MIGRATIONS_FOLDER)).filter((name) => /^\d+-.*\.[jt]s$/.test(name));
  if (names === undefined) return files;
  return names.map((name) => {
    const file = files.find((one) => name.endsWith(one.split('-', 1)[0]!));
    if (file === undefined)
      throw new Error(
        `This build lacks the migration ${name}. Use the version that wrote the data, or a newer one`,
      );
    return file;
  });
}

/** The numbers of the migrations of this build. */
export async function migrationNumbers(): Promise<number[]> {
  return (await migrationFiles()).map((name) => Number.parseInt(name, 10));
}

/**
 * Whether every migration of this build has run on the database. Compares only their numbers, in about 10 ms; loading
 * TypeORM just to find nothing to migrate would take half a second.
 */
export async function isMigrated(databaseUrl: string): Promise<boolean> {
  const numbers = await migrationNumbers();
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ timestamp: string }>('SELECT timestamp FROM migrations');
    const done = new Set(rows.map((row) => Number(row.timestamp)));
    return numbers.every((number) => done.has(number));
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
    throw error;
  } finally {
    await client.end();
  }
}
