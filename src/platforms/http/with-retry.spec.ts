import type { RequestWait } from '../platform.js';
import { REDDIT_RETRIES } from '../reddit/refusals.js';
import { TransportError } from './requestor.js';
import { MAX_TOTAL_WAIT_MS } from './retry-policy.js';
import {
  type Attempt,
  faulty,
  type RetrySession,
  retryDependencies,
  unanswered,
  withRetry,
} from './with-retry.js';

describe('withRetry', () => {
  it('fails once the waits of one request together would exceed the maximum', async () => {
    const requestedWaitMs = 0.4 * MAX_TOTAL_WAIT_MS;
    const waits: number[] = [];
    const dependencies = retryDependencies(REDDIT_RETRIES, undefined, {
      sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
      random: () => 0,
    });
    const attempt = (): Promise<Attempt<never>> =>
      Promise.resolve({ done: false, fault: 'rate_limited', detail: '429', requestedWaitMs });
    const { signal } = new AbortController();
    await expect(withRetry('a listing', attempt, { signal }, dependencies)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    expect(waits).toEqual([requestedWaitMs, requestedWaitMs]);
  });

  it('shows one wait from the first failure to the end', async () => {
    const shown: unknown[] = [];
    let wait: RequestWait | undefined;
    const attempts: Attempt<string>[] = [
      faulty('server', 'status 503'),
      faulty('network', 'ECONNRESET'),
      faulty('server', 'status 502'),
      faulty('network', 'ECONNREFUSED'),
      { done: true, value: 'page' },
    ];
    const dependencies = retryDependencies(REDDIT_RETRIES, undefined, {
      sleep: async (milliseconds) => {
        shown.push(['sleeps', milliseconds, wait!.until, wait!.cause]);
        await new Promise((resolve) => setImmediate(resolve));
        shown.push('slept');
      },
      random: () => 0,
      now: () => 1_000,
    });
    const attempt = (): Promise<Attempt<string>> => {
      shown.push(['attempt', wait?.until]);
      return Promise.resolve(attempts.shift()!);
    };
    const session: RetrySession = {
      signal: new AbortController().signal,
      onWait: (begun) => {
        wait = begun;
        shown.push('begins');
        return () => void shown.push('ends');
      },
      onSuccess: () => void shown.push('succeeded'),
    };
    expect(await withRetry('a page', attempt, session, dependencies)).toBe('page');
    const cause = (detail: string, n: number): string =>
      `The request for a page failed (${detail}) and is retried: retry ${n}`;
    // Delays grow with the failures of one kind.
    expect(shown).toEqual([
      ['attempt', undefined],
      'begins',
      ['sleeps', 125, new Date(1_125), cause('status 503', 1)],
      'slept',
      ['attempt', null],
      ['sleeps', 125, new Date(1_125), cause('ECONNRESET', 2)],
      'slept',
      ['attempt', null],
      ['sleeps', 250, new Date(1_250), cause('status 502', 3)],
      'slept',
      ['attempt', null],
      ['sleeps', 250, new Date(1_250), cause('ECONNREFUSED', 4)],
      'slept',
      ['attempt', null],
      'succeeded',
      'ends',
    ]);
  });

  it('ends the wait that it shows when it fails', async () => {
    let shown = 0;
    const session: RetrySession = {
      signal: new AbortController().signal,
      onWait: () => {
        shown += 1;
        return () => void (shown -= 1);
      },
    };
    const dependencies = retryDependencies(REDDIT_RETRIES, undefined, { sleep: () => Promise.resolve() });
    const attempt = (): Promise<Attempt<never>> => Promise.resolve(faulty('blocked', 'a page'));
    await expect(withRetry('a page', attempt, session, dependencies)).rejects.toMatchObject({
      code: 'blocked',
    });
    expect(shown).toBe(0);
  });

  it('retries an incomplete response, but not one that is too large', () => {
    expect(unanswered(new TransportError('network', 'ECONNRESET'), 'a page')).toEqual(
      faulty('network', 'ECONNRESET'),
    );
    expect(() => unanswered(new TransportError('too_large', 'large'), 'a page')).toThrow(
      'The response for a page is too large',
    );
    expect(() => unanswered(new Error('cancelled'), 'a page')).toThrow('cancelled');
  });
});
