import {
  allot,
  CIRCUIT_OPEN_AFTER,
  claimLimit,
  type DueQueue,
  MAX_CLAIMED,
  MAX_HELD,
  MAX_PROBES,
  MIN_CLAIMED,
} from './send-limits.js';

const queue = (id: string, failures = 0): DueQueue => ({ workspaceId: 'w', kind: 'webhook', id, failures });
const nothing = { total: 0, probes: 0, of: () => ({ held: 0, answerMs: null }) };
const counts = (...args: Parameters<typeof allot>): number[] => allot(...args).map(({ count }) => count);

describe('claimLimit', () => {
  it('claims ahead about what a destination answers in a second', () => {
    expect(claimLimit(0, null)).toBe(MIN_CLAIMED);
    expect(claimLimit(0, 1)).toBe(MAX_CLAIMED);
    expect(claimLimit(0, 200)).toBe(80);
    expect(claimLimit(0, 15_000)).toBe(MIN_CLAIMED);
  });

  it('claims one delivery while the circuit is open', () => {
    expect([CIRCUIT_OPEN_AFTER - 1, CIRCUIT_OPEN_AFTER].map((failures) => claimLimit(failures, 1))).toEqual([
      MAX_CLAIMED,
      1,
    ]);
  });
});

describe('allot', () => {
  it('gives each destination a limit of its own', () => {
    expect(counts([queue('a'), queue('b', CIRCUIT_OPEN_AFTER)], nothing, 0)).toEqual([MIN_CLAIMED, 1]);
  });

  it('subtracts what is held already', () => {
    const held = { total: 30, probes: 0, of: () => ({ held: 30, answerMs: null }) };
    expect(counts([queue('a'), queue('b', CIRCUIT_OPEN_AFTER)], held, 0)).toEqual([MIN_CLAIMED - 30, 0]);
  });

  it('never allots more than is free', () => {
    expect(counts([queue('a'), queue('b')], { ...nothing, total: MAX_HELD - 40 }, 0)).toEqual([
      MIN_CLAIMED,
      8,
    ]);
  });

  it('keeps places for destinations that answer when probes are at their limit', () => {
    const held = { ...nothing, total: MAX_PROBES, probes: MAX_PROBES };
    expect(counts([queue('failing', CIRCUIT_OPEN_AFTER), queue('a')], held, 0)).toEqual([0, MIN_CLAIMED]);
  });

  it('pauses between probes only', () => {
    const [healthy, failing] = allot([queue('a'), queue('b', CIRCUIT_OPEN_AFTER)], nothing, 500);
    expect([healthy!.pauseMs, failing!.pauseMs]).toEqual([0, 500]);
  });
});
