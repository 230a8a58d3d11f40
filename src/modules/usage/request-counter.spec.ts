import { jest } from '@jest/globals';
import { RequestCounter } from './request-counter.js';

const NOW = new Date('2026-06-30T12:00:09Z');

/** Fakes of the constructor arguments, as far as these tests use them. */
type Dependencies = ConstructorParameters<typeof RequestCounter>;

describe('RequestCounter', () => {
  let stored: Map<string, { count: number; until: number }>;
  let counter: RequestCounter;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    stored = new Map();
    const pipeline = {
      incrby: (key: string, by: number) => {
        stored.set(key, { count: (stored.get(key)?.count ?? 0) + by, until: Infinity });
        return pipeline;
      },
      pexpire: (key: string, ms: number) => {
        stored.get(key)!.until = Date.now() + ms;
        return pipeline;
      },
      exec: () => Promise.resolve(),
    };
    const countOf = (key: string): string | null => {
      const entry = stored.get(key);
      return entry === undefined || entry.until <= Date.now() ? null : String(entry.count);
    };
    counter = new RequestCounter(
      ...([
        { pipeline: () => pipeline, mget: (keys: string[]) => Promise.resolve(keys.map(countOf)) },
      ] as unknown as Dependencies),
    );
  });
  afterEach(() => void jest.useRealTimers());

  it('counts the requests of each workspace exactly once, for a minute', async () => {
    for (const workspaceId of ['a', 'b', 'a']) counter.count(workspaceId);
    expect([await counter.lastMinute('a'), await counter.lastMinute('b')]).toEqual([2, 1]);
    jest.setSystemTime(NOW.getTime() + 30_000);
    counter.count('a');
    expect(await counter.lastMinute('a')).toBe(3);
    jest.setSystemTime(NOW.getTime() + 60_000);
    expect(await counter.lastMinute('a')).toBe(3);
    jest.setSystemTime(NOW.getTime() + 70_000);
    expect(await counter.lastMinute('a')).toBe(1);
  });

  it('stores its counts within a second', async () => {
    counter.count('a');
    expect(stored.size).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([...stored.values()].map(({ count }) => count)).toEqual([1]);
  });
});
