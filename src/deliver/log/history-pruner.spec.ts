import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { Pruner } from '../../infrastructure/pruning/pruner.js';
import type { OutboxRepository, RelayedEvent } from '../../messages/outbox/outbox.repository.js';
import type { DeliveriesRepository } from '../queue/deliveries.repository.js';
import { HistoryPruner } from './history-pruner.js';

const BATCH = 500;
const NOW = new Date('2026-06-30T12:00:00Z');
class FixedClock extends Clock {
  now = (): Date => NOW;
}

describe('HistoryPruner', () => {
  /** The event number after which each batch started; null for the first. */
  let positions: (number | null)[];
  let pending: Set<string>;
  let events: RelayedEvent[];
  let setAside: number;
  let idle: number;
  let pruner: HistoryPruner;

  beforeEach(() => {
    [positions, pending, events, setAside, idle] = [[], new Set(), [], 0, 0];
    const outbox = {
      deleteSetAsideBefore: () => Promise.resolve(setAside),
      lockRelayedBefore: (_before: Date, after: RelayedEvent | null, limit: number) => {
        const start = after === null ? 0 : events.indexOf(after) + 1;
        positions.push(after === null ? null : events.indexOf(after));
        return Promise.resolve(events.slice(start, start + limit));
      },
      delete: (deleted: readonly RelayedEvent[]) => {
        events = events.filter((event) => !deleted.includes(event));
        return Promise.resolve();
      },
    };
    const deliveries = {
      deleteIdleQueues: () => Promise.resolve(idle),
      findPendingEvents: () => Promise.resolve(pending),
    };
    pruner = new HistoryPruner(
      outbox as unknown as OutboxRepository,
      deliveries as unknown as DeliveriesRepository,
      { run: (work: (tx: EntityManager) => unknown) => work({} as EntityManager) } as TransactionRunner,
      new FixedClock(),
      { add: () => undefined } as unknown as Pruner,
    );
  });

  it('continues after events that must be kept, and starts over in the next pass', async () => {
    events = Array.from({ length: BATCH + 1 }, (_, n) => ({ id: `event ${n}` }) as RelayedEvent);
    pending = new Set(events.slice(0, BATCH).map(({ id }) => id));
    expect(await pruner.pruneBatch()).toBe(true);
    expect(await pruner.pruneBatch()).toBe(false);
    expect(events).toHaveLength(BATCH);
    await pruner.pruneBatch();
    expect(positions).toEqual([null, BATCH - 1, null]);
  });

  it('requests another batch while more rows of any kind may be old', async () => {
    const answers: boolean[] = [];
    for ([setAside, idle] of [
      [BATCH, 0],
      [0, BATCH],
      [BATCH - 1, BATCH - 1],
    ] as const)
      answers.push(await pruner.pruneBatch());
    expect(answers).toEqual([true, true, false]);
  });
});
