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
  inRange(version: string, range: string): boolean;
}

// These scripts run before anything is built, so they are plain modules outside the compiled tree.
const { decideBuild, needsInstall, inRange } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../scripts/lib/freshness.mjs')).href
)) as Freshness;

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
