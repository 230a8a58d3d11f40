import { FairTurns, NoTurnError } from './fair-turns.js';

const LONG_MS = 60_000;

describe('fair turns', () => {
  it('gives free places to waiting tenants in turn, each in the order of its requests', async () => {
    const turns = new FairTurns({ total: 1, perTenant: 1, waiting: 10 });
    const order: string[] = [];
    const free = await turns.take('a', LONG_MS);
    const all = ['a1', 'a2', 'b1', 'c1'].map(async (name) => {
      const done = await turns.take(name[0]!, LONG_MS);
      order.push(name);
      done();
    });
    free();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  it('leaves places to others when a tenant is at its limit', async () => {
    const turns = new FairTurns({ total: 3, perTenant: 2, waiting: 10 });
    await turns.take('a', LONG_MS);
    const free = await turns.take('a', LONG_MS);
    const third = turns.take('a', LONG_MS);
    await turns.take('b', LONG_MS);
    expect(turns.countOf('a')).toBe(3);
    free();
    (await third)();
    expect(turns.countOf('a')).toBe(1);
  });

  it('says whether the limit of the tenant or the total was the reason', async () => {
    const turns = new FairTurns({ total: 2, perTenant: 1, waiting: 10 });
    await turns.take('a', LONG_MS);
    await expect(turns.take('a', 1)).rejects.toMatchObject({ isTenantAtLimit: true });
    await turns.take('b', LONG_MS);
    await expect(turns.take('c', 1)).rejects.toMatchObject({ isTenantAtLimit: false });
  });

  it('refuses at once when too many wait', async () => {
    const turns = new FairTurns({ total: 1, perTenant: 1, waiting: 0 });
    await turns.take('a', LONG_MS);
    await expect(turns.take('b', LONG_MS)).rejects.toBeInstanceOf(NoTurnError);
  });

  it('skips waiters that gave up', async () => {
    const turns = new FairTurns({ total: 1, perTenant: 1, waiting: 10 });
    const free = await turns.take('a', LONG_MS);
    const gone = new AbortController();
    const waiting = turns.take('b', LONG_MS, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    free();
    (await turns.take('c', LONG_MS))();
    expect(turns.countOf('b')).toBe(0);
  });
});
