import { FairShare } from '../../common/fair-share.js';
import {
  allot,
  CIRCUIT_OPEN_AFTER,
  claimLimit,
  type DueQueue,
  MAX_HELD,
  MAX_PROBES,
  MIN_CLAIMED,
  type SendCapacity,
} from './send-limits.js';

const queue = (id: string, failures = 0, workspaceId = 'w'): DueQueue => ({
  workspaceId,
  kind: 'webhook',
  id,
  failures,
});
const failing = (id: string, workspaceId?: string) => queue(id, CIRCUIT_OPEN_AFTER, workspaceId);
const capacity = (held = 0): SendCapacity => ({
  deliveries: new FairShare(MAX_HELD),
  probes: new FairShare(MAX_PROBES),
  heldFor: () => ({ held, answerMs: null }),
});
const counts = (queues: DueQueue[], free = capacity()): number[] =>
  allot(queues, free, 0).map(({ count }) => count);
const many = (count: number, make: (id: string) => DueQueue) =>
  Array.from({ length: count }, (_, id) => make(String(id)));
const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('claimLimit', () => {
  it('claims about as many deliveries ahead as a destination answers in a second', () => {
    expect(claimLimit(0, null)).toBe(MIN_CLAIMED);
    expect(claimLimit(0, 1)).toBe(512);
    expect(claimLimit(0, 200)).toBe(80);
    expect(claimLimit(0, 300)).toBe(54);
    expect(claimLimit(0, 15_000)).toBe(MIN_CLAIMED);
  });

  it('claims one delivery while the circuit is open, after five failures', () => {
    expect([4, 5].map((failures) => claimLimit(failures, 1))).toEqual([512, 1]);
  });
});

describe('allot', () => {
  it('gives each destination its own limit', () => {
    expect(counts([queue('a'), failing('b')])).toEqual([MIN_CLAIMED, 1]);
  });

  it('subtracts deliveries that are already held', () => {
    expect(counts([queue('a'), failing('b')], capacity(30))).toEqual([MIN_CLAIMED - 30, 0]);
  });

  it('leaves slots for other workspaces, however many destinations one has', () => {
    const greedy = many(200, (id) => queue(id));
    const allotted = counts([...greedy, queue('x', 0, 'another')]);
    expect(sum(allotted.slice(0, -1))).toBe(1_536);
    expect(allotted.at(-1)).toBe(MIN_CLAIMED);
  });

  it('leaves probes for other workspaces, however many destinations of one fail', () => {
    const allotted = counts([...many(300, (id) => failing(id)), failing('x', 'another')]);
    expect(sum(allotted.slice(0, -1))).toBe(192);
    expect(allotted.at(-1)).toBe(1);
  });

  it('keeps slots for healthy destinations when probes are at their limit', () => {
    const allotted = counts([...many(300, (id) => failing(id)), queue('a')]);
    expect(allotted.at(-1)).toBe(MIN_CLAIMED);
  });

  it('pauses only between probes', () => {
    const [healthy, open] = allot([queue('a'), failing('b')], capacity(), 500);
    expect([healthy!.pauseMs, open!.pauseMs]).toEqual([0, 500]);
  });
});
