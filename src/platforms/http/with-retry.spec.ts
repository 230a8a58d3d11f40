import { REDDIT_RETRIES } from '../reddit/refusals.js';
import { MAX_TOTAL_WAIT_MS } from './retry-policy.js';
import { type Attempt, retryDependencies, withRetry } from './with-retry.js';

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
});
