import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SOURCE = resolve(import.meta.dirname, '../src');

/** Packages that take most of a second to load. */
const HEAVY =
  /^(?:@nestjs\/(?!common\/services\/logger)|typeorm|bull|nodemailer|flydrive|@aws-sdk\/|openid-client)/;

/** Commands that use them: for the tables and services of the service, for migrations, or for stored files. */
const WITH_SERVICE = ['analyze-workspace', 'backup', 'import', 'restore', 'workspace'];

/** Files that a compiled module loads at once, not what it imports later by `import()`. */
const STATIC_IMPORT = /^(?:import|export)\s[^;]*?from '([^']+)'|^import '([^']+)'/gm;

const PROGRAMS = readdirSync(join(SOURCE, 'cli'))
  .filter((file) => /^[\w-]+\.js$/.test(file))
  .filter((file) => /^await run\w*\(/m.test(readFileSync(join(SOURCE, 'cli', file), 'utf8')))
  .map((file) => file.slice(0, -'.js'.length));

/** The first heavy package that a file loads at once, after the files through which it does; null for none. */
function wayToHeavy(file: string, seen: Set<string>): string[] | null {
  if (seen.has(file)) return null;
  seen.add(file);
  for (const [, named, bare] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    const target = (named ?? bare)!;
    if (HEAVY.test(target)) return [file.slice(SOURCE.length + 1), target];
    if (!target.startsWith('.')) continue;
    const way = wayToHeavy(resolve(dirname(file), target), seen);
    if (way !== null) return [file.slice(SOURCE.length + 1), ...way];
  }
  return null;
}

describe('a command', () => {
  const light = PROGRAMS.filter((name) => !WITH_SERVICE.includes(name));

  it('is found by the call that runs it', () => {
    expect(PROGRAMS).toEqual(expect.arrayContaining([...WITH_SERVICE, 'db', 'doctor', 'source']));
  });

  it.each(light)('%s loads no framework', (name) => {
    expect(wayToHeavy(join(SOURCE, 'cli', `${name}.js`), new Set())).toBeNull();
  });
});
