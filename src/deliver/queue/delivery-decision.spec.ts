import { parseEnvironment } from '../../config/environment.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import {
  type AttemptedDelivery,
  classifyResponse,
  decide,
  type DeliveryDecision,
  nextAttempt,
  type RetryContext,
  undeliverable,
} from './delivery-decision.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const AT = new Date('2026-03-01T11:59:59Z');
const HOUR = 3_600_000;
const SCHEDULE = parseEnvironment({}).WEBHOOK_RETRY_SCHEDULE;

const delivery = (schedulePosition = 0): AttemptedDelivery => ({
  destination: { workspaceId: 'w', kind: 'webhook', id: 'a' },
  deliveryId: 'd',
  schedulePosition,
});
const failed: DeliveryOutcome = {
  ok: false,
  responseCode: 500,
  durationMs: 7,
  error: 'The receiver answered 500',
};
const after = (
  outcome: Partial<DeliveryOutcome>,
  schedulePosition = 0,
  context: Partial<RetryContext> = {},
): DeliveryDecision =>
  decide(delivery(schedulePosition), { ...failed, ...outcome }, AT, {
    schedule: SCHEDULE,
    failingSince: null,
    now: NOW,
    random: () => 0,
    ...context,
  });

describe('classifyResponse', () => {
  it.each([
    [{ ok: true, responseCode: 204 }, 'succeeded'],
    [{ ok: false, responseCode: 410 }, 'gone'],
    [{ ok: false, responseCode: 410, permanent: true }, 'gone'],
    [{ ok: false, responseCode: 404, permanent: true }, 'permanent'],
    [{ ok: false, responseCode: null, permanent: true }, 'unsendable'],
    [{ ok: false, responseCode: 500 }, 'transient'],
    [{ ok: false, responseCode: null }, 'transient'],
  ])('%j is %s', (outcome, expected) => expect(classifyResponse(outcome)).toBe(expected));
});

describe('nextAttempt', () => {
  const waitAfter = (attemptNo: number, outcome: Partial<DeliveryOutcome> = {}, random = 0): number | null =>
    nextAttempt(attemptNo, { ...failed, ...outcome }, { schedule: SCHEDULE, random: () => random });

  it('allows attempts at once, then after 5 s, 5 and 30 min, 2, 5, 10 and 10 h', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((attemptNo) => waitAfter(attemptNo))).toEqual([
      5_000,
      300_000,
      HOUR / 2,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      10 * HOUR,
      null,
    ]);
  });

  it('lengthens each wait by up to 20%', () => {
    for (const attemptNo of [1, 2, 3, 4, 5, 6, 7]) {
      const scheduled = SCHEDULE[attemptNo - 1]!;
      expect(waitAfter(attemptNo, {}, 0.5)).toBe(Math.round(scheduled * 1.1));
      expect(waitAfter(attemptNo, {}, 0.999999)).toBeLessThanOrEqual(Math.round(scheduled * 1.2));
    }
  });

  it.each([429, 503])('honours the Retry-After of a %i, up to a day', (responseCode) => {
    expect(waitAfter(1, { responseCode, retryAfterMs: 60_000 })).toBe(60_000);
    expect(waitAfter(1, { responseCode, retryAfterMs: 1_000 })).toBe(5_000);
    expect(waitAfter(1, { responseCode, retryAfterMs: 48 * HOUR })).toBe(24 * HOUR);
  });

  it('ignores the Retry-After of other responses', () => {
    expect(waitAfter(1, { responseCode: 500, retryAfterMs: HOUR })).toBe(5_000);
  });

  it('retries when there was no response', () => {
    expect(waitAfter(1, { responseCode: null })).toBe(5_000);
  });
});

describe('decide', () => {
  it('marks a success as delivered', () => {
    expect(after({ ok: true, responseCode: 204 })).toEqual({
      destination: delivery().destination,
      deliveryId: 'd',
      status: 'delivered',
      retryInMs: null,
      error: null,
      attempt: { at: AT, succeeded: true, responseCode: 204, durationMs: 7 },
      disableReason: null,
    });
  });

  it('returns the wait before a retry, not its time, because of clock skew', () => {
    expect(after({})).toMatchObject({
      status: 'pending',
      retryInMs: 5_000,
      error: 'The receiver answered 500',
      disableReason: null,
    });
  });

  it('fails after the last attempt', () => {
    expect(after({}, 6).status).toBe('pending');
    expect(after({}, 7)).toMatchObject({ status: 'failed', retryInMs: null, disableReason: null });
  });

  it('disables a destination after the first 410 response', () => {
    expect(after({ responseCode: 410 })).toMatchObject({
      status: 'failed',
      disableReason: 'The receiver responded with 410 Gone',
    });
  });

  it('disables a destination after five days of failures, and not before', () => {
    const since = (ms: number, outcome: Partial<DeliveryOutcome> = {}, position = 0) =>
      after(outcome, position, { failingSince: new Date(NOW.getTime() - ms) });
    const disabled = { status: 'failed', disableReason: 'Every delivery has failed for five days' };
    expect(since(120 * HOUR)).toMatchObject(disabled);
    expect(since(120 * HOUR, {}, 7)).toMatchObject(disabled);
    expect(since(120 * HOUR, { responseCode: 404, permanent: true })).toMatchObject(disabled);
    expect(since(120 * HOUR - 1)).toMatchObject({ status: 'pending', disableReason: null });
    expect(since(120 * HOUR, { ok: true, responseCode: 200 })).toMatchObject({
      status: 'delivered',
      disableReason: null,
    });
  });

  it('does not retry a permanent failure', () => {
    expect(after({ responseCode: 404, permanent: true })).toMatchObject({
      status: 'failed',
      retryInMs: null,
    });
  });

  it('counts no attempt when nothing could be sent', () => {
    const outcome = { responseCode: null, durationMs: 0, permanent: true, error: 'No recipient' };
    const longAgo = { failingSince: new Date(0) };
    expect(after(outcome, 0, longAgo)).toEqual(undeliverable(delivery(), 'No recipient'));
    expect(after(outcome, 0, longAgo)).toMatchObject({
      status: 'undeliverable',
      attempt: null,
      disableReason: null,
    });
  });
});
