import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';
import { retryWaitMs, RetryingTransactions } from './retrying-transactions.js';
import { withFakes } from '../../test/support/with-fakes.js';

describe('RetryingTransactions', () => {
  let failures: Error[];
  let attempts: number;

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => void (attempts = 0));
  afterEach(() => void jest.restoreAllMocks());

  /** Runs a transaction that fails once with each of `failures` and then succeeds. */
  const run = (signal = new AbortController().signal): Promise<string> => {
    const transactions = {
      run: () => {
        attempts += 1;
        const failure = failures.shift();
        return failure === undefined ? Promise.resolve('stored') : Promise.reject(failure);
      },
    };
    return withFakes(RetryingTransactions, transactions).run(signal, () => Promise.resolve('stored'));
  };
  const conflict = (code: string): Error => Object.assign(new Error(code), { code });

  it.each([
    conflict('40001'),
    conflict('40P01'),
    conflict('55P03'),
    new DependencyUnavailableError('Postgres'),
  ])('retries a transaction after %s', async (failure) => {
    failures = [failure];
    expect(await run()).toBe('stored');
    expect(attempts).toBe(2);
  });

  it('does not retry after any other error', async () => {
    failures = [conflict('23505')];
    await expect(run()).rejects.toThrow('23505');
    expect(attempts).toBe(1);
  });

  it('waits twice as long after each failure, at most two seconds', () => {
    expect([1, 2, 6, 7, 1_000].map(retryWaitMs)).toEqual([50, 100, 1_600, 2_000, 2_000]);
  });

  it('gives up when the next attempt would begin after half a minute', async () => {
    failures = [conflict('40001'), conflict('40001')];
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    now.mockReturnValueOnce(0).mockReturnValueOnce(29_950);
    const repeated = run();
    now.mockReturnValue(29_951);
    await expect(repeated).rejects.toThrow('40001');
    expect(attempts).toBe(2);
  });

  it('starts no attempt after the signal has aborted, and does not wait for it', async () => {
    const leaving = new AbortController();
    failures = [conflict('40001')];
    const repeated = run(leaving.signal);
    leaving.abort(new Error('The process is stopping'));
    await expect(repeated).rejects.toThrow('The process is stopping');
    await expect(run(leaving.signal)).rejects.toThrow('The process is stopping');
    expect(attempts).toBe(1);
  });
});
