import { CIRCUIT_OPEN_AFTER, DESTINATION_CONCURRENCY, MIN_CLAIMED } from '../queue/send-limits.js';
import { type ReadyDelivery, SendQueue } from './send-queue.js';

const FAILED = { succeeded: false, durationMs: 1 };

function ready(id: number, leasedUntil = 100): ReadyDelivery {
  const destination = { workspaceId: 'w', kind: 'webhook' as const, id: 'a' };
  return {
    delivery: {
      destination,
      deliveryId: String(id),
      eventId: 'e',
      attempts: 0,
      schedulePosition: 0,
      event: {
        id: 'e',
        type: 'job.completed',
        createdAt: new Date(0),
        subjectKind: 'job',
        subjectId: 'j',
        data: '{}',
      },
    },
    destination: {
      failingSince: null,
      refuse: () => null,
      send: () => Promise.resolve({ ok: true, responseCode: 200, durationMs: 1 }),
    },
    leasedUntil,
  };
}

function queueWith(count: number, failures = 0): SendQueue {
  const queue = new SendQueue({ workspaceId: 'w', kind: 'webhook', id: 'a', failures });
  queue.reserve(count, true);
  queue.accept(
    count,
    Array.from({ length: count }, (_, id) => ready(id)),
  );
  return queue;
}

const started = (queue: SendQueue): string[] => {
  const ids: string[] = [];
  for (let next = queue.start(); next !== undefined; next = queue.start()) ids.push(next.delivery.deliveryId);
  return ids;
};

describe('SendQueue', () => {
  it('starts deliveries in order up to the concurrency limit', () => {
    const queue = queueWith(DESTINATION_CONCURRENCY + 2);
    expect(started(queue)).toHaveLength(DESTINATION_CONCURRENCY);
    queue.attempted({ succeeded: true, durationMs: 1 });
    expect(started(queue)).toEqual([String(DESTINATION_CONCURRENCY)]);
    expect(queue.held).toBe(DESTINATION_CONCURRENCY + 2);
    queue.recorded();
    expect(queue.held).toBe(DESTINATION_CONCURRENCY + 1);
  });

  it('starts one probe while the circuit is open and releases the other deliveries', () => {
    const queue = queueWith(3, CIRCUIT_OPEN_AFTER);
    expect(queue.takeReleasable(0).map(({ deliveryId }) => deliveryId)).toEqual(['1', '2']);
    expect(started(queue)).toEqual(['0']);
    expect(queue.isFull).toBe(true);
    queue.attempted(FAILED);
    queue.recorded();
    expect([queue.held, queue.failures]).toEqual([0, CIRCUIT_OPEN_AFTER + 1]);
  });

  it('opens the circuit after consecutive failures and closes it after one success', () => {
    const queue = queueWith(DESTINATION_CONCURRENCY * 2);
    started(queue);
    for (let failure = 0; failure < CIRCUIT_OPEN_AFTER; failure += 1) queue.attempted(FAILED);
    expect(started(queue)).toEqual([]);
    expect(queue.takeReleasable(0)).toHaveLength(DESTINATION_CONCURRENCY);
    queue.attempted({ succeeded: true, durationMs: 1 });
    expect(queue.failures).toBe(0);
  });

  it('measures the response time as a moving average', () => {
    const queue = queueWith(3);
    expect([started(queue).length, queue.answerMs]).toEqual([3, null]);
    queue.attempted({ succeeded: true, durationMs: 100 });
    expect(queue.answerMs).toBe(100);
    queue.attempted(null);
    expect(queue.answerMs).toBe(100);
    queue.attempted({ succeeded: true, durationMs: 200 });
    expect(queue.answerMs).toBeCloseTo(120);
  });

  it('has room for more deliveries of a destination that answers quickly', () => {
    const queue = queueWith(1);
    queue.reserve(MIN_CLAIMED, true);
    expect(queue.isFull).toBe(true);
    started(queue);
    queue.attempted({ succeeded: true, durationMs: 1 });
    expect(queue.isFull).toBe(false);
  });

  it('keeps its failures when nothing was sent', () => {
    const queue = queueWith(2, 3);
    started(queue);
    queue.attempted(null);
    expect(queue.failures).toBe(3);
  });

  it.each([
    { held: MIN_CLAIMED / 2 - 1, isTruncated: true, expected: true },
    { held: MIN_CLAIMED / 2 - 1, isTruncated: false, expected: false },
    { held: MIN_CLAIMED / 2, isTruncated: true, expected: false },
  ])('has a backlog with $held held deliveries, truncated $isTruncated: $expected', (given) => {
    const queue = new SendQueue({ workspaceId: 'w', kind: 'webhook', id: 'a', failures: 0 });
    queue.reserve(given.held, given.isTruncated);
    expect(queue.hasBacklog).toBe(given.expected);
  });

  it('releases deliveries whose lease expires too early', () => {
    const queue = queueWith(1);
    queue.reserve(1, false);
    queue.accept(1, [ready(7, 200)]);
    expect(queue.takeReleasable(100).map(({ deliveryId }) => deliveryId)).toEqual(['0']);
    expect(started(queue)).toEqual(['7']);
  });

  it('releases all deliveries when each lease expires too early', () => {
    const queue = queueWith(2);
    expect(queue.takeReleasable(100).map(({ deliveryId }) => deliveryId)).toEqual(['0', '1']);
    expect(started(queue)).toEqual([]);
  });
});
