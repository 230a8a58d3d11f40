import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './support/temporary-folder.js';

/** Compiled tests run from `dist`. */
const ROOT = join(import.meta.dirname, '../..');
// A plain module outside the compiled tree, since Jest's configuration loads it.
const { LONG_RUNS, LONG_RUN_NAMES, leftOut, leftOutSince } = (await import(
  pathToFileURL(join(ROOT, 'scripts/lib/long-runs.mjs')).href
)) as {
  LONG_RUNS: Record<string, string[]>;
  LONG_RUN_NAMES: string[];
  leftOut: (changed: string[]) => string[];
  leftOutSince: (base: string | undefined, folder: string) => string[];
};

describe('the table of long runs', () => {
  it('names folders and files that exist', () => {
    expect(Object.keys(LONG_RUNS).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names specs that exist', () => {
    expect(LONG_RUN_NAMES.filter((name) => !existsSync(join(ROOT, `test/faults/${name}.spec.ts`)))).toEqual(
      [],
    );
  });
});

describe('the long runs that a change leaves out', () => {
  it('are all when nothing they test has changed', () => {
    expect(leftOut(['docs/api.md', 'src/databases.ts'])).toEqual(LONG_RUN_NAMES);
  });

  it.each([
    ['a file of a folder', 'src/platforms/lemmy/lemmy.ts', ['recorded-jobs', 'recorded-service']],
    [
      'a folder inside another one',
      'src/platforms/bluesky/x.ts',
      ['recorded-jobs', 'recorded-service', 'streams'],
    ],
    ['a file', 'package-lock.json', ['event-loop', 'fuzz', 'topology']],
    ['the spec itself', 'test/faults/schedulers.spec.ts', ['schedulers']],
  ])('are the others after a change of %s', (_what, file, due) => {
    const left = new Set(leftOut([file]));
    expect(LONG_RUN_NAMES.filter((name) => !left.has(name))).toEqual(due);
  });

  describe('since a commit', () => {
    let clone: string;
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: clone });
    const commit = async (file: string): Promise<void> => {
      await mkdir(join(clone, dirname(file)), { recursive: true });
      await writeFile(join(clone, file), '');
      git('add', '.');
      git('commit', '-qm', file);
    };

    beforeAll(async () => {
      clone = await temporaryFolder();
      git('init', '-q');
      await commit('src/http/request/paths.ts');
      await commit('src/collect/streams/stream-reader.ts');
    });

    it('are those that none of the changes since then makes necessary', () => {
      expect(leftOutSince('HEAD~1', clone)).toEqual(
        LONG_RUN_NAMES.filter((name) => !['streams', 'stream-hour'].includes(name)),
      );
    });

    it.each([undefined, ''])('are all when the commit is "%s"', (base) => {
      expect(leftOutSince(base, clone)).toEqual(LONG_RUN_NAMES);
    });

    it('are none when there is no such commit', () => {
      expect(leftOutSince('no-such-commit', clone)).toEqual([]);
    });
  });
});
