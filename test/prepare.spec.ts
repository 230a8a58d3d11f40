import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Freshness {
  decideBuild(stamp: Record<string, string> | null, inputs: Record<string, string>): string;
  needsInstall(facts: {
    installedLock: string | null;
    installedAt: number | null;
    lock: string;
    lockAt: number;
  }): boolean;
}

// These scripts run before anything is built, so they are plain modules outside the compiled tree.
const { decideBuild, needsInstall } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../scripts/lib/freshness.mjs')).href
)) as Freshness;

const ROOT = join(import.meta.dirname, '../..');
const { inRange, lowestVersions } = createRequire(import.meta.url)(
  join(ROOT, 'scripts/lib/node-range.cjs'),
) as {
  inRange(version: string, range: string): boolean;
  lowestVersions(range: string): string;
};
const { engines, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};

describe('decideBuild', () => {
  const inputs = { 'src/a.ts': '1 10', 'src/b.ts': '1 20' };

  it.each([
    ['nothing was built', null, 'clean build'],
    ['nothing changed', { ...inputs }, 'fresh'],
    ['a file changed', { ...inputs, 'src/a.ts': '0 10' }, 'build'],
    ['a file is new', { 'src/a.ts': '1 10' }, 'build'],
    ['a file is gone, and its output must go too', { ...inputs, 'src/c.ts': '1 5' }, 'clean build'],
  ])('%s: %#', (_case, seen, expected) => {
    expect(decideBuild(seen, inputs)).toBe(expected);
  });
});

describe('needsInstall', () => {
  const lock = { lock: 'now', lockAt: 100 };

  it.each([
    ['never installed', { installedLock: null, installedAt: null }, true],
    ['installed by hand before the lockfile changed', { installedLock: null, installedAt: 99 }, true],
    ['installed by hand after it', { installedLock: null, installedAt: 101 }, false],
    ['a checkout touched the lockfile only', { installedLock: 'now', installedAt: 99 }, false],
    ['the lockfile changed', { installedLock: 'then', installedAt: 99 }, true],
    ['installed by hand since', { installedLock: 'then', installedAt: 101 }, false],
  ])('%s', (_case, installed, expected) => {
    expect(needsInstall({ ...installed, ...lock })).toBe(expected);
  });
});

describe('inRange', () => {
  it.each([
    ['20.19.0', true],
    ['20.18.9', false],
    ['21.7.0', false],
    ['22.13.1', true],
    ['24.10.0', false],
    ['26.0.0', true],
  ])('%s: %s', (version, expected) => {
    expect(inRange(version, '^20.19.0 || ^22.13.0 || >=24.11.0')).toBe(expected);
  });
});

describe('lowestVersions', () => {
  it.each([
    ['^20.19.0 || ^22.13.0 || >=24.11.0', '20.19, 22.13 or 24.11'],
    ['>=20.19.0', '20.19'],
  ])('%s: %s', (range, words) => {
    expect(lowestVersions(range)).toBe(words);
  });
});

describe('the version of Node.js', () => {
  it('is checked by every script of package.json before it runs', () => {
    const own = Object.entries(scripts).filter(([, command]) => command.includes('scripts/'));
    expect(own.length).toBeGreaterThan(20);
    for (const [name, command] of own) {
      const [, script] = /^exec node (?:--[\w-]+ )*scripts\/run\.cjs ([a-z-]+)(?: |$)/.exec(command) ?? [];
      expect([name, existsSync(join(ROOT, `scripts/${script}.mjs`))]).toEqual([name, true]);
    }
  });

  it('that an old one has is answered with one sentence', () => {
    const folder = mkdtempSync(join(tmpdir(), 'old-node-'));
    try {
      const pretend = join(folder, 'old.cjs');
      writeFileSync(
        pretend,
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });`,
      );
      const run = [join(ROOT, 'scripts/run.cjs'), 'start'];
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', pretend, ...run], {
        encoding: 'utf8',
      });
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: `The service needs Node.js ${lowestVersions(engines.node)}, or newer within these lines or after them, but this is 18.20.4. Install a supported version and run the command again.\n`,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('of .nvmrc is supported', () => {
    expect(inRange(readFileSync(join(ROOT, '.nvmrc'), 'utf8').trim(), engines.node)).toBe(true);
  });
});

describe('a path with a space', () => {
  /** Files that build addresses and commands from paths. */
  const files = ['scripts', 'test', 'src', 'clients/typescript'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          /\.(?:[cm]?js|ts)$/.test(file) &&
          !file.endsWith('.spec.ts') &&
          !/(?:^|\/)(?:node_modules|dist)\//.test(file),
      )
      .map((file) => join(folder, file)),
  );

  it.each([
    ['the path of a URL, which is encoded', /import\.meta\.url\)\.pathname|fileURL\([^)]*\)\.pathname/],
    ['a text as the address of a file', /[`'"]file:\/\/(?:\$\{|['"] *\+)/],
    ['a line for a shell', /\b(?:execSync|exec)\(\s*[`'"]|shell: true/],
  ])('is not used as %s', (_case, pattern) => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });
});
