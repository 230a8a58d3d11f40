import { Lane } from './lane.js';
import type { HeldDelivery } from './lane.js';
import { LANE_CONCURRENCY, SUSPECT_AFTER } from './lane-limits.js';

const FAILED = { succeeded: false, durationMs: 1 };

function held(id: number, leasedUntil = 100): HeldDelivery {
  const destination = { workspaceId: 'w', kind: 'webhook' as const, id: 'a' };
  return {
    delivery: {
      destination,
      deliveryId: String(id),
      schedulePosition: 0,
      event: { id: 'e', type: 'job.completed', createdAt: new Date(0), data: '{}' },
    },
    destination: {
      failingSince: null,
      refuse: () => null,
      send: () => Promise.resolve({ ok: true, responseCode: 200, durationMs: 1 }),
    },
    leasedUntil,
  };
}

function laneWith(count: number, failures = 0): Lane {
  const lane = new Lane({ workspaceId: 'w', kind: 'webhook', id: 'a', failures });
  lane.reserve(count, true);
  lane.accept(
    count,
    Array.from({ length: count }, (_, id) => held(id)),
  );
  return lane;
}

const started = (lane: Lane): string[] => {
  const ids: string[] = [];
  for (let next = lane.start(); next !== undefined; next = lane.start()) ids.push(next.delivery.deliveryId);
  return ids;
};

describe('Lane', () => {
  it('sends in order, so many at once, and the next one as soon as one is answered', () => {
    const lane = laneWith(LANE_CONCURRENCY + 2);
    expect(started(lane)).toHaveLength(LANE_CONCURRENCY);
    lane.answered({ succeeded: true, durationMs: 1 });
    expect(started(lane)).toEqual([String(LANE_CONCURRENCY)]);
    expect(lane.held).toBe(LANE_CONCURRENCY + 2);
    lane.settled();
    expect(lane.held).toBe(LANE_CONCURRENCY + 1);
  });

  it('probes a suspect destination one by one and gives the rest back', () => {
    const lane = laneWith(3, SUSPECT_AFTER);
    expect(lane.takeSurplus(0).map(({ deliveryId }) => deliveryId)).toEqual(['1', '2']);
    expect(started(lane)).toEqual(['0']);
    expect(lane.isFull).toBe(true);
    lane.answered(FAILED);
    lane.settled();
    expect([lane.held, lane.failures]).toEqual([0, SUSPECT_AFTER + 1]);
  });

  it('becomes suspect by failures in a row and sound by one success', () => {
    const lane = laneWith(LANE_CONCURRENCY * 2);
    started(lane);
    for (let failure = 0; failure < SUSPECT_AFTER; failure += 1) lane.answered(FAILED);
    expect(started(lane)).toEqual([]);
    expect(lane.takeSurplus(0)).toHaveLength(LANE_CONCURRENCY);
    lane.answered({ succeeded: true, durationMs: 1 });
    expect(lane.failures).toBe(0);
  });

  it('gives back what was leased too long ago', () => {
    const lane = laneWith(1);
    lane.reserve(1, false);
    lane.accept(1, [held(7, 200)]);
    expect(lane.takeSurplus(100).map(({ deliveryId }) => deliveryId)).toEqual(['0']);
    expect(started(lane)).toEqual(['7']);
  });
});
