import { summarizeAttempts } from './attempt-summary.js';
import type { DeliveryDecision } from './delivery-decision.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const decision = (id: string, second: number, succeeded: boolean | null): DeliveryDecision => ({
  destination: { workspaceId: 'w', kind: 'webhook', id },
  deliveryId: `${id}${second}`,
  status: succeeded === null ? 'undeliverable' : succeeded ? 'delivered' : 'pending',
  retryInMs: succeeded === false ? 1_000 * second : null,
  attempt: succeeded === null ? null : { at: at(second), succeeded, responseCode: null, durationMs: 1 },
  error: null,
  disableReason: null,
});

describe('summarizeAttempts', () => {
  it('counts all failures when no attempt succeeded', () => {
    expect(summarizeAttempts([decision('a', 2, false), decision('a', 3, false)])).toMatchObject([
      { anySuccess: false, failures: 2, failingSince: at(2), lastAt: at(3), retryInMs: 2_000 },
    ]);
  });

  it('counts only the failures after the last success', () => {
    expect(
      summarizeAttempts([
        decision('a', 1, true),
        decision('a', 2, false),
        decision('a', 3, true),
        decision('a', 4, false),
      ]),
    ).toMatchObject([{ anySuccess: true, failures: 1, failingSince: at(4) }]);
    expect(summarizeAttempts([decision('a', 1, false), decision('a', 2, true)])).toMatchObject([
      { anySuccess: true, failures: 0, failingSince: null },
    ]);
  });

  it('counts an attempt that reached some recipients as no failure', () => {
    const partial = decision('a', 3, false);
    partial.attempt!.isPartial = true;
    expect(summarizeAttempts([decision('a', 2, false), partial])).toMatchObject([
      { anySuccess: true, failures: 0, failingSince: null, retryInMs: 2_000 },
    ]);
  });

  it('sums up each destination separately, in lock order', () => {
    const ids = summarizeAttempts([decision('b', 1, true), decision('a', 2, false)]).map(
      ({ destination }) => destination.id,
    );
    expect(ids).toEqual(['a', 'b']);
  });

  it('skips decisions without an attempt', () => {
    expect(summarizeAttempts([decision('a', 1, null)])).toEqual([]);
  });
});
