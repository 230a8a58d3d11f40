import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const SOURCE = join(import.meta.dirname, '..');
const ENTITY_FILE = /\.entity\.(js|ts)$/;

type EntityClass = new () => object;

/**
 * The classes in every `*.entity` file, so that a new resource needs no list. TypeORM's own pattern search
 * imports files through evaluated code, which V8 caches by its text. Under a test runner that gives each test file its
 * own module registry, the classes would then come from another test file's registry.
 */
export async function loadEntities(): Promise<EntityClass[]> {
  const files = (await readdir(SOURCE, { recursive: true })).filter((file) => ENTITY_FILE.test(file));
  const exported = await Promise.all(
    files.map(async (file) =>
      Object.values((await import(pathToFileURL(join(SOURCE, file)).href)) as Record<string, unknown>),
    ),
  );
  return exported.flat().filter((value): value is EntityClass => typeof value === 'function');
}
