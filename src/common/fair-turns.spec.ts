import { getEventListeners } from 'node:events';
import { FairTurns, NoTurnError } from './fair-turns.js';

const LONG_MS = 60_000;
const WAITING = { total: 10, perTenant: 10 };
const one = { atMost: () => 1, waitMs: LONG_MS };
const two = { atMost: () => 2, waitMs: LONG_MS };

describe('fair turns', () => {
  it('gives free slots to waiting tenants in turn, each in the order of its requests', async () => {
    const turns = new FairTurns({ running: () => 1, waiting: WAITING });
    const order: string[] = [];
    const free = await turns.take('a', one);
    const all = ['a1', 'a2', 'b1', 'c1'].map(async (name) => {
      const done = await turns.take(name[0]!, one);
      order.push(name);
      done();
    });
    free();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('leaves slots to others when a tenant is at its limit', async () => {
    const turns = new FairTurns({ running: () => 3, waiting: WAITING });
    await turns.take('a', two);
    const free = await turns.take('a', two);
    const third = turns.take('a', two);
    const freeOther = await turns.take('b', two);
    freeOther();
    expect(turns.runningOf('a')).toBe(2);
    free();
    const freeThird = await third;
    expect(turns.runningOf('a')).toBe(2);
    freeThird();
    expect(turns.runningOf('a')).toBe(1);
  });

  it('applies a changed limit', async () => {
    const turns = new FairTurns({ running: () => Infinity, waiting: WAITING });
    await turns.take('a', one);
    await expect(turns.take('a', { atMost: () => 1, waitMs: 1 })).rejects.toBeInstanceOf(NoTurnError);
    await turns.take('a', two);
    expect(turns.runningOf('a')).toBe(2);
  });

  it('rejects after the maximum wait', async () => {
    const turns = new FairTurns({ running: () => 1, waiting: WAITING });
    await turns.take('a', one);
    await expect(turns.take('b', { atMost: () => 1, waitMs: 1 })).rejects.toBeInstanceOf(NoTurnError);
  });

  it('rejects at once when too many callers wait', async () => {
    const turns = new FairTurns({ running: () => 1, waiting: { total: 2, perTenant: 1 } });
    const end = new AbortController();
    const waiting = { ...one, signal: end.signal };
    await turns.take('a', one);
    const first = turns.take('a', waiting);
    await expect(turns.take('a', one)).rejects.toBeInstanceOf(NoTurnError);
    const second = turns.take('b', waiting);
    await expect(turns.take('c', one)).rejects.toBeInstanceOf(NoTurnError);
    end.abort(new Error('ended'));
    await expect(first).rejects.toThrow('ended');
    await expect(second).rejects.toThrow('ended');
  });

  it('skips waiters that gave up', async () => {
    const turns = new FairTurns({ running: () => 1, waiting: WAITING });
    const free = await turns.take('a', one);
    const gone = new AbortController();
    const waiting = turns.take('b', { ...one, signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    free();
    (await turns.take('c', one))();
    expect(turns.runningOf('b')).toBe(0);
  });

  it("starts a tenant's waiting work when its limit was raised meanwhile", async () => {
    const turns = new FairTurns({ running: () => 2, waiting: WAITING });
    const freeFirst = await turns.take('a', one);
    const freeOther = await turns.take('b', one);
    const second = turns.take('a', one);
    const third = turns.take('a', two);
    freeOther();
    const freeSecond = await second;
    expect(turns.runningOf('a')).toBe(2);
    freeFirst();
    await third;
    freeSecond();
  });

  it('starts waiting work in order when the limit has risen by itself', async () => {
    const turns = new FairTurns({ running: () => Infinity, waiting: WAITING });
    let limit = 1;
    const order: string[] = [];
    const take = (name: string) =>
      turns.take('a', { atMost: () => limit, waitMs: LONG_MS }).then(() => order.push(name));
    await take('first');
    void take('second');
    limit = 3;
    await take('third');
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('gives no slot to a caller that has already given up', async () => {
    const turns = new FairTurns({ running: () => 1, waiting: WAITING });
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(turns.take('a', { ...one, signal })).rejects.toThrow('gone');
    expect(turns.runningOf('a')).toBe(0);
  });

  it('leaves no listener on the signal after work has started or was abandoned', async () => {
    const turns = new FairTurns({ running: () => 1, waiting: WAITING });
    const { signal } = new AbortController();
    const free = await turns.take('a', { ...one, signal });
    const second = turns.take('a', { ...one, signal });
    await expect(turns.take('b', { ...one, waitMs: 1, signal })).rejects.toBeInstanceOf(NoTurnError);
    free();
    (await second)();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
