import type { RecordedOutcome } from './recorded-outcome.js';
import { tallyOutcomes } from './tally.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const outcome = (id: string, second: number, succeeded: boolean | null): RecordedOutcome => ({
  destination: { workspaceId: 'w', kind: 'webhook', id },
  deliveryId: `${id}${second}`,
  status: succeeded === null ? 'undeliverable' : succeeded ? 'delivered' : 'pending',
  retryInMs: succeeded === false ? 1_000 * second : null,
  attempt: succeeded === null ? null : { at: at(second), succeeded, responseCode: null, durationMs: 1 },
  error: null,
});

describe('tallyOutcomes', () => {
  it('counts all failures where nothing succeeded', () => {
    expect(tallyOutcomes([outcome('a', 2, false), outcome('a', 3, false)])).toMatchObject([
      { anySuccess: false, failures: 2, failingSince: at(2), lastAt: at(3), dueInMs: 2_000 },
    ]);
  });

  it('counts only the failures after the last success', () => {
    expect(
      tallyOutcomes([outcome('a', 1, false), outcome('a', 2, true), outcome('a', 3, false)]),
    ).toMatchObject([{ anySuccess: true, failures: 1, failingSince: at(3) }]);
    expect(tallyOutcomes([outcome('a', 1, false), outcome('a', 2, true)])).toMatchObject([
      { anySuccess: true, failures: 0, failingSince: null },
    ]);
  });

  it('keeps destinations apart, in the order in which rows are locked', () => {
    const ids = tallyOutcomes([outcome('b', 1, true), outcome('a', 2, false)]).map(
      ({ destination }) => destination.id,
    );
    expect(ids).toEqual(['a', 'b']);
  });

  it('leaves out what was never sent', () => {
    expect(tallyOutcomes([outcome('a', 1, null)])).toEqual([]);
  });
});
