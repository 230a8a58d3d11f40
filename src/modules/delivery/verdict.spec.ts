import type { DeliveryOutcome } from '../notifications/channel.js';
import type { ClaimedDelivery } from './delivery-claims.repository.js';
import { rule, type Ruling, unsent } from './verdict.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const AT = new Date('2026-03-01T11:59:59Z');

const delivery = (schedulePosition = 0): ClaimedDelivery => ({
  destination: { workspaceId: 'w', kind: 'webhook', id: 'a' },
  deliveryId: 'd',
  schedulePosition,
  event: { id: 'e', type: 'job.completed', createdAt: AT, data: '{}' },
});
const after = (outcome: DeliveryOutcome, schedulePosition = 0): Ruling =>
  rule(delivery(schedulePosition), outcome, {
    at: AT,
    now: NOW,
    schedule: [1_000],
    failingSince: null,
    random: () => 0,
  });
const failed = { ok: false, responseCode: 500, durationMs: 7, error: 'The receiver answered 500' };

describe('rule', () => {
  it('writes a success', () => {
    expect(after({ ok: true, responseCode: 204, durationMs: 7 })).toMatchObject({
      recorded: {
        status: 'delivered',
        retryInMs: null,
        error: null,
        attempt: { at: AT, succeeded: true, responseCode: 204, durationMs: 7 },
      },
      disable: null,
    });
  });

  it('writes a retry by its distance, for clocks differ', () => {
    expect(after(failed).recorded).toMatchObject({
      status: 'pending',
      retryInMs: 1_000,
      error: 'The receiver answered 500',
    });
  });

  it('fails after the last attempt', () => {
    expect(after(failed, 1).recorded).toMatchObject({ status: 'failed', retryInMs: null });
  });

  it('says why a destination is to be switched off', () => {
    const { recorded, disable } = after({ ...failed, responseCode: 410 });
    expect([recorded.status, disable]).toEqual(['failed', 'The receiver answered 410 Gone']);
  });

  it('counts no attempt when there was nobody to ask, so that no destination is switched off for it', () => {
    const outcome = { ok: false, responseCode: null, durationMs: 0, permanent: true, error: 'No recipient' };
    expect(after(outcome)).toEqual(unsent(delivery(), 'No recipient'));
    expect(after(outcome).recorded).toMatchObject({ status: 'undeliverable', attempt: null });
  });
});
