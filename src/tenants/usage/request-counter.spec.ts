import { jest } from '@jest/globals';
import { RequestCounter } from './request-counter.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const NOW = new Date('2026-06-30T12:00:09Z');

describe('RequestCounter', () => {
  let stored: Map<string, { count: number; until: number }>;
  let counter: RequestCounter;
  /** Another process with the same Redis. */
  let other: RequestCounter;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    stored = new Map();
    const pipeline = () => {
      const answers: [null, unknown][] = [];
      const answer = (value: unknown) => {
        answers.push([null, value]);
        return commands;
      };
      const commands = {
        incrby: (key: string, by: number) => {
          const count = (stored.get(key)?.count ?? 0) + by;
          stored.set(key, { count, until: Infinity });
          return answer(count);
        },
        pexpire: (key: string, ms: number) => {
          stored.get(key)!.until = Date.now() + ms;
          return answer(1);
        },
        mget: (keys: string[]) => answer(keys.map(countOf)),
        exec: () => Promise.resolve(answers),
      };
      return commands;
    };
    const countOf = (key: string): string | null => {
      const entry = stored.get(key);
      return entry === undefined || entry.until <= Date.now() ? null : String(entry.count);
    };
    const redis = { pipeline, mget: (keys: string[]) => Promise.resolve(keys.map(countOf)) };
    const create = () => withFakes(RequestCounter, redis, { API_RATE_LIMIT_PER_MINUTE: 2 });
    [counter, other] = [create(), create()];
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

  /** Requests of a workspace in a process, which that then stores. */
  const send = async (process: RequestCounter, workspaceId: string, count: number) => {
    for (let number = 0; number < count; number += 1) process.count(workspaceId);
    await process.lastMinute(workspaceId);
  };

  it('finds a workspace at ten times the limit of a key, over all processes', async () => {
    await send(other, 'a', 15);
    await send(counter, 'a', 4);
    expect(counter.secondsToWait('a')).toBe(0);
    await send(counter, 'b', 1);
    await send(counter, 'a', 1);
    // The bucket of these requests began nine seconds ago and leaves the minute as a whole.
    expect([counter.secondsToWait('a'), counter.secondsToWait('b')]).toEqual([51, 0]);
  });

  it('lets a workspace wait only until its oldest requests leave the minute', async () => {
    await send(counter, 'a', 10);
    jest.setSystemTime(NOW.getTime() + 30_000);
    await send(counter, 'a', 9);
    await send(counter, 'a', 1);
    expect(counter.secondsToWait('a')).toBe(21);
    jest.setSystemTime(NOW.getTime() + 51_000);
    expect(counter.secondsToWait('a')).toBe(0);
    await send(counter, 'a', 1);
    expect(counter.secondsToWait('a')).toBe(0);
  });
});
