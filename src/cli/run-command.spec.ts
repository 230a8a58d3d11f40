import { mkdir } from 'node:fs/promises';
import { jest } from '@jest/globals';
import { CommandFailure, reportFailure, UsageError } from './run-command.js';

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
