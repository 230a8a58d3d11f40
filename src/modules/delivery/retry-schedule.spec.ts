import { parseEnvironment } from '../../config/environment.js';
import { decide, type Attempt, type Verdict } from './retry-schedule.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;
const SCHEDULE = parseEnvironment({}).WEBHOOK_RETRY_SCHEDULE;

const after = (attempt: Partial<Attempt>): Verdict =>
  decide({
    attemptNo: 1,
    outcome: { ok: false, responseCode: 500 },
    schedule: SCHEDULE,
    failingSince: null,
    now: NOW,
    random: () => 0,
    ...attempt,
  });
const waitOf = (verdict: Verdict): number =>
  verdict.kind === 'retry' ? verdict.at.getTime() - NOW.getTime() : Number.NaN;

describe('decide', () => {
  it('is done with a success', () => {
    expect(after({ outcome: { ok: true, responseCode: 204 } })).toEqual({ kind: 'succeeded' });
  });

  it('makes eight attempts: at once, then 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attemptNo) => waitOf(after({ attemptNo })));
    expect(waits).toEqual([5_000, 300_000, HOUR / 2, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]);
    expect(after({ attemptNo: 8 })).toEqual({ kind: 'exhausted', reason: 'All 8 attempts failed' });
  });

  it('stretches each wait by up to a fifth', () => {
    for (const attemptNo of [1, 2, 3, 4, 5, 6, 7]) {
      const scheduled = SCHEDULE[attemptNo - 1]!;
      expect(waitOf(after({ attemptNo, random: () => 0.5 }))).toBe(Math.round(scheduled * 1.1));
      expect(waitOf(after({ attemptNo, random: () => 0.999999 }))).toBeLessThanOrEqual(
        Math.round(scheduled * 1.2),
      );
    }
  });

  it.each([429, 503])('honours Retry-After of a %i, up to a day', (responseCode) => {
    const wait = (retryAfterMs: number): number =>
      waitOf(after({ outcome: { ok: false, responseCode, retryAfterMs } }));
    expect(wait(60_000)).toBe(60_000);
    expect(wait(1_000)).toBe(5_000);
    expect(wait(48 * HOUR)).toBe(24 * HOUR);
  });

  it('ignores Retry-After of other answers', () => {
    expect(waitOf(after({ outcome: { ok: false, responseCode: 500, retryAfterMs: HOUR } }))).toBe(5_000);
  });

  it('disables a destination that is gone, at its first word', () => {
    expect(after({ outcome: { ok: false, responseCode: 410 } }).kind).toBe('disable_destination');
  });

  it('disables a destination after five days of failures, and not before', () => {
    const since = (ms: number): Date => new Date(NOW.getTime() - ms);
    expect(after({ failingSince: since(120 * HOUR) }).kind).toBe('disable_destination');
    expect(after({ failingSince: since(120 * HOUR - 1) }).kind).toBe('retry');
    expect(after({ failingSince: since(120 * HOUR), attemptNo: 8 }).kind).toBe('disable_destination');
    expect(after({ failingSince: since(120 * HOUR), outcome: { ok: true, responseCode: 200 } }).kind).toBe(
      'succeeded',
    );
  });

  it('does not repeat what a repeat cannot mend', () => {
    expect(after({ outcome: { ok: false, responseCode: 404, permanent: true } }).kind).toBe('exhausted');
  });

  it('retries when there was no answer', () => {
    expect(waitOf(after({ outcome: { ok: false, responseCode: null } }))).toBe(5_000);
  });
});
