import { requestedWait, decideRetry, type Fault, faultOfStatus, MAX_TOTAL_WAIT_MS } from './retry-policy.js';
import { REDDIT_RETRIES } from '../reddit/refusals.js';

const { rules } = REDDIT_RETRIES;
const FRESH = { sameFault: 0, total: 0, waitedMs: 0 };

describe('the retry table', () => {
  it.each<[number, Fault | null]>([
    [200, null],
    [301, null],
    [400, null],
    [401, 'unauthorized'],
    [403, null],
    [404, null],
    [408, 'server'],
    [422, null],
    [429, 'rate_limited'],
    [500, 'server'],
    [501, null],
    [502, 'server'],
    [503, 'server'],
    [504, 'server'],
    [505, null],
    [509, 'server'],
    [520, 'server'],
    [521, 'server'],
    [522, 'server'],
    [524, 'server'],
  ])('status %i means %s', (status, fault) => expect(faultOfStatus(status)).toBe(fault));

  it.each(Object.keys(rules) as Fault[])('%s is repeated as often as its rule says, then fails', (fault) => {
    const { retries, failsAs } = rules[fault];
    const last = decideRetry(
      rules[fault],
      { ...FRESH, sameFault: retries - 1, total: retries - 1 },
      null,
      0.5,
    );
    expect(last.action).toBe('retry');
    const over = decideRetry(rules[fault], { ...FRESH, sameFault: retries, total: retries }, null, 0.5);
    expect(over).toEqual({ action: 'fail', code: failsAs });
  });

  it('doubles the delay up to the cap, with jitter between half and whole', () => {
    const waits = (random: number) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((sameFault) => {
        const decision = decideRetry(rules.server, { ...FRESH, sameFault }, null, random);
        return decision.action === 'retry' ? decision.delayMs : null;
      });
    expect(waits(0)).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000]);
    expect(waits(0.999_999)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  });

  it('waits at least the requested delay', () => {
    expect(decideRetry(rules.rate_limited, FRESH, 42_000, 0)).toEqual({ action: 'retry', delayMs: 42_000 });
    // Jitter keeps requests that were given the same delay from returning at the same moment.
    expect(decideRetry(rules.rate_limited, FRESH, 42_000, 0.5)).toEqual({ action: 'retry', delayMs: 42_250 });
    expect(decideRetry(rules.rate_limited, { ...FRESH, sameFault: 6 }, 1_000, 0)).toEqual({
      action: 'retry',
      delayMs: 15_000,
    });
  });

  it('fails when the requested delay exceeds the maximum, by itself or in total', () => {
    const fail = { action: 'fail', code: 'rate_limited' };
    expect(decideRetry(rules.rate_limited, FRESH, MAX_TOTAL_WAIT_MS + 1, 0)).toEqual(fail);
    const waited = { ...FRESH, waitedMs: MAX_TOTAL_WAIT_MS - 1_000 };
    expect(decideRetry(rules.rate_limited, waited, 2_000, 0)).toEqual(fail);
  });

  it('waits for the maximum, and not longer', () => {
    const waited = { ...FRESH, waitedMs: MAX_TOTAL_WAIT_MS - 1_000 };
    expect(decideRetry(rules.rate_limited, waited, 1_000, 0)).toEqual({ action: 'retry', delayMs: 1_000 });
  });

  it('fails when faults of different kinds alternate for too long', () => {
    expect(decideRetry(rules.network, { sameFault: 1, total: 20, waitedMs: 0 }, null, 0)).toEqual({
      action: 'fail',
      code: 'unavailable',
    });
  });
});

describe('the delay that a response requests', () => {
  const now = Date.UTC(2026, 4, 1, 12, 0, 0);
  it.each<[string, number, string | null, string | null, number | null]>([
    ['seconds', 429, '4', null, 4_000],
    ['seconds, whatever the reset says', 429, '2', '599', 2_000],
    ['zero', 414, '0', null, 0],
    ['a date', 503, 'Fri, 01 May 2026 12:00:30 GMT', null, 30_000],
    ['a date that is over', 503, 'Fri, 01 May 2026 11:00:00 GMT', null, 0],
    ['the end of the window', 429, null, '42', 42_000],
    ['the end of the window as a time in milliseconds', 429, null, String(now + 42_000), 42_000],
    ['a window that is over', 429, null, String(now - 42_000), null],
    ['more than a day', 503, '604800', null, 86_400_000],
    ['a reset of zero, which says nothing', 429, null, '0', null],
    ['the window, when it is not about the budget', 500, null, '42', null],
    ['nonsense', 429, 'soon', 'later', null],
    ['nothing', 429, null, null, null],
  ])('%s', (_name, status, retryAfter, reset, wait) =>
    expect(requestedWait(status, { retryAfter, reset }, now)).toBe(wait),
  );
});
