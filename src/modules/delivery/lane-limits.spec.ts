import type { DueLane } from './destination.js';
import { holdOf, MAX_HELD, MAX_HOLD, MAX_PROBES, MIN_HOLD, shareRoom, SUSPECT_AFTER } from './lane-limits.js';

const lane = (id: string, failures = 0): DueLane => ({ workspaceId: 'w', kind: 'webhook', id, failures });
const nothing = { total: 0, probes: 0, ofLane: () => ({ held: 0, answerMs: null }) };
const rooms = (...args: Parameters<typeof shareRoom>): number[] => shareRoom(...args).map(({ room }) => room);

describe('holdOf', () => {
  it('holds about what a destination takes in a second', () => {
    expect(holdOf(0, null)).toBe(MIN_HOLD);
    expect(holdOf(0, 1)).toBe(MAX_HOLD);
    expect(holdOf(0, 200)).toBe(80);
    expect(holdOf(0, 15_000)).toBe(MIN_HOLD);
  });

  it('holds one delivery of a destination that keeps failing', () => {
    expect([SUSPECT_AFTER - 1, SUSPECT_AFTER].map((failures) => holdOf(failures, 1))).toEqual([MAX_HOLD, 1]);
  });
});

describe('shareRoom', () => {
  it('gives each destination its own room', () => {
    expect(rooms([lane('a'), lane('b', SUSPECT_AFTER)], nothing, 0)).toEqual([MIN_HOLD, 1]);
  });

  it('takes off what is held already', () => {
    const held = { total: 30, probes: 0, ofLane: () => ({ held: 30, answerMs: null }) };
    expect(rooms([lane('a'), lane('b', SUSPECT_AFTER)], held, 0)).toEqual([MIN_HOLD - 30, 0]);
  });

  it('never gives more than is free altogether', () => {
    expect(rooms([lane('a'), lane('b')], { ...nothing, total: MAX_HELD - 40 }, 0)).toEqual([MIN_HOLD, 8]);
  });

  it('lets destinations that answer have what dead ones may not take', () => {
    const held = { ...nothing, total: MAX_PROBES, probes: MAX_PROBES };
    expect(rooms([lane('dead', SUSPECT_AFTER), lane('a')], held, 0)).toEqual([0, MIN_HOLD]);
  });

  it('pauses between probes only', () => {
    const [healthy, dead] = shareRoom([lane('a'), lane('b', SUSPECT_AFTER)], nothing, 500);
    expect([healthy!.pauseMs, dead!.pauseMs]).toEqual([0, 500]);
  });
});
