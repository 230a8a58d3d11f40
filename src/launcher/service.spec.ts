import { jest } from '@jest/globals';
import { nameSlowParts } from './service.js';

describe('a start that takes longer than two seconds', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const never = new Promise<void>(() => undefined);

  it('reports what it waits for, once', async () => {
    const lines: string[] = [];
    const parts = new Map([
      ['Postgres and Redis', Promise.resolve()],
      ['the database schema', never],
      ['the service (api)', never],
    ]);
    const stop = nameSlowParts(parts, (line) => lines.push(line));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(lines).toEqual([]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual(['Waiting for the database schema, the service (api) to start']);
    stop();
  });

  it('reports nothing when it has ended before', async () => {
    const lines: string[] = [];
    nameSlowParts(new Map([['a part', never]]), (line) => lines.push(line))();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(lines).toEqual([]);
  });
});
