import { mkdir } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, reportFailure, runCommand, UsageError } from './run-command.js';

describe('a command that failed', () => {
  let printed: string[];
  beforeEach(() => {
    printed = [];
    jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['at all', new Error('It is so'), 1, 'It is so'],
    ['by a mistake', new UsageError('--to is missing'), 2, '--to is missing\nusage: x'],
    ['with a code of its own', new CommandFailure('Stopped', 130), 130, 'Stopped'],
    [
      'at several addresses',
      new AggregateError([new Error('connect ECONNREFUSED')], ''),
      1,
      'connect ECONNREFUSED',
    ],
  ])('%s prints the reason', (_, error, code, text) => {
    expect(reportFailure(error, 'usage: x')).toBe(code);
    expect(printed).toEqual([text]);
  });

  it('prints the remedy for an unusable folder', async () => {
    const error: unknown = await mkdir('/dev/null/data').catch((reason: unknown) => reason);
    expect(reportFailure(error)).toBe(1);
    expect(printed).toEqual([
      expect.stringMatching(/^\/dev\/null\/data cannot be used \(ENOTDIR\); give this user access to it/),
    ]);
  });
});

describe('a command with --help', () => {
  const argv = process.argv;
  afterEach(() => {
    process.argv = argv;
    jest.restoreAllMocks();
  });

  it('prints its usage and does nothing', async () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const main = jest.fn<() => Promise<number>>();
    process.argv = [...argv, '--help'];
    await runCommand('usage: x', main);
    expect(print.mock.calls).toEqual([['usage: x']]);
    expect(main).not.toHaveBeenCalled();
  });

  const root = join(import.meta.dirname, '../../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const names = Object.values(scripts).flatMap(
    (script) => /run\.cjs command ([\w-]+)/.exec(script)?.[1] ?? [],
  );
  it.each(names)('is run so by npm run %s', (name) => {
    expect(readFileSync(join(root, `src/cli/${name}.ts`), 'utf8')).toMatch(/^await runCommand\(/m);
  });
});
