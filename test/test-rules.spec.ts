import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Linter } from 'eslint';
import { SKIPPED } from './support/skip-unless.js';

const script = (name: string): string => pathToFileURL(join(import.meta.dirname, '../../test', name)).href;

interface Rule {
  selector: string;
  message: string;
}
// Plain modules outside the compiled tree, since ESLint and Jest load them.
const { PAGE_RULES, TEST_RULES, TIME_RULES } = (await import(script('test-rules.mjs'))) as Record<
  string,
  Rule[]
>;
const { skippedLines } = (await import(script('skip-reporter.mjs'))) as {
  skippedLines: (
    files: { testResults: { ancestorTitles: string[]; title: string; status: string }[] }[],
  ) => string[];
};

describe('the rules of ESLint for tests', () => {
  const messagesOf = (code: string): string[] =>
    new Linter()
      .verify(code, {
        rules: { 'no-restricted-syntax': ['error', ...TEST_RULES!, ...TIME_RULES!, ...PAGE_RULES!] },
      })
      .map(({ message }) => message);

  it.each([
    ["describe.skip('a', () => {});", 'skipUnless'],
    ["it.skip.each([1])('a', () => {});", 'skipUnless'],
    ["(isThere ? it : it.skip)('a', () => {});", 'skipUnless'],
    ["it.todo('a');", 'skipUnless'],
    ["xit('a', () => {});", 'skipUnless'],
    ["it.only('a', () => {});", 'The other tests'],
    ["readFileSync('../shared/search/cases.ndjson');", 'withShared'],
    ['resolve(`../shared/recordings-${source}`);', 'withShared'],
    ['process.env.SHARED_DIR;', 'withShared'],
    ['expect(performance.now() - startedAt).toBeLessThan(2_000);', 'growthOf'],
    ['times.push(performance.now() - begin);', 'growthOf'],
    ['const before = process.cpuUsage();', 'growthOf'],
    ['const began = process.hrtime.bigint();', 'growthOf'],
    ['expect(Date.now() - began).toBeLessThan(2_000);', 'growthOf'],
    ['expect(cpuMs).toBeLessThan(MAX_CPU_MS);', 'growthOf'],
    ['async () => expect(await cards(page).count()).toBe(25);', 'expectSoon'],
    ["async () => expect(await field.inputValue()).toEqual('7');", 'expectSoon'],
    ['async () => page.waitForTimeout(600);', 'loaded'],
    ["async () => page.waitForLoadState('networkidle');", 'loaded'],
    ['expect(Math.max(...calm.map(({ ms: time }) => time))).toBeLessThan(PROMPT_MS);', 'growthOf'],
  ])('find %s', (code, words) => {
    expect(messagesOf(code)).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    "withShared('spikes').describe('a', () => {});",
    "import '../shared-folder.js';",
    'while (performance.now() < deadline) await sleep(50);',
    'expect(seenAt).toBeGreaterThan(Date.now() - 60_000);',
    'expect(ms).toBe(1_000);',
    'expect(await lock(Date.now() - 5 * DAY_MS)).toEqual([]);',
    'expect(await growthOf(work, 1_000)).toBeLessThan(3);',
    'async () => expect(await cards(page).count()).toBe(0);',
    'async () => expect(await note.isVisible()).toBe(false);',
  ])('allow %s', (code) => {
    expect(messagesOf(code)).toEqual([]);
  });
});

describe('the last lines of a run', () => {
  const test = (status: string, title: string, ...ancestorTitles: string[]) => ({
    status,
    title,
    ancestorTitles,
  });

  it('name each skipped block once, with its tests and the reason', () => {
    const reason = `${SKIPPED}there is no ffmpeg`;
    const files = [
      {
        testResults: [
          test('passed', 'become one file', 'videos'),
          test('pending', 'one', 'videos', reason, 'joined'),
          test('pending', 'two', 'videos', reason, 'joined'),
          test('pending', 'filtered by its name', 'videos'),
        ],
      },
      { testResults: [test('pending', 'alone', reason), test('pending', 'c', `${SKIPPED}no data`, 'all')] },
    ];
    expect(skippedLines(files)).toEqual([
      'Skipped: videos (2 tests): there is no ffmpeg',
      'Skipped: alone (1 test): there is no ffmpeg',
      'Skipped: all (1 test): no data',
    ]);
  });
});
