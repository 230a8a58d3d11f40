import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { RedisRequestBudget } from '../../src/platforms/http/redis-request-budget.js';
import { type BudgetSession, parseRateLimit, perMinute } from '../../src/platforms/http/request-budget.js';
import { createTestRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const MINUTE_MS = 60_000;

describe('the budget that all workers of a client id share', () => {
  let server: TestRedis;
  let redis: Redis;
  const connections: Redis[] = [];
  let client = 0;
  let stop: AbortController;
  let admitted: string[];

  const connect = (): Redis => {
    const connection = new Redis(server.url);
    connections.push(connection);
    return connection;
  };
  /** Workers with separate connections, like processes, and the client id of this test. */
  const workers = (count: number, requests: number): RedisRequestBudget[] =>
    Array.from(
      { length: count },
      () => new RedisRequestBudget(connect(), `client-${client}`, perMinute(requests)),
    );
  const by = (workspaceId: string, priority: BudgetSession['priority'] = 'normal'): BudgetSession => ({
    workspaceId,
    priority,
    signal: stop.signal,
  });
  const request = (budget: RedisRequestBudget, session: BudgetSession): void =>
    void budget.acquire(session).then(
      () => admitted.push(session.workspaceId),
      () => undefined,
    );
  const keyOf = async (name: string): Promise<string | undefined> =>
    (await redis.keys(`wss:budget:*:${name}`))[0];
  /** Whether a request of the workspace is registered as waiting. */
  const isWaiting = async (workspaceId: string, priority = 'normal'): Promise<boolean> => {
    const key = await keyOf('waiting');
    return key !== undefined && (await redis.zscore(key, `${priority} ${workspaceId}`)) !== null;
  };
  /** Simulates passing time by changing the stored times, because the budget uses the clock of Redis. */
  const age = async (milliseconds: number): Promise<void> => {
    const [began, window] = [await keyOf('began'), await keyOf('window')];
    if (began !== undefined)
      for (const member of await redis.zrange(began, '0', '-1'))
        await redis.zincrby(began, -milliseconds, member);
    if (window !== undefined) await redis.hincrby(window, 'ends', -milliseconds);
  };

  /** Requests left in the platform's window. */
  const left = async (): Promise<string | null> => {
    const key = await keyOf('window');
    return key === undefined ? null : redis.hget(key, 'remaining');
  };

  beforeAll(async () => {
    server = await createTestRedis();
    redis = new Redis(server.url);
  });
  beforeEach(async () => {
    await server.wipe();
    client += 1;
    stop = new AbortController();
    admitted = [];
  });
  afterEach(() => {
    stop.abort(new Error('the test has ended'));
    for (const connection of connections.splice(0)) connection.disconnect();
  });
  afterAll(() => redis.disconnect());

  it('is shared by several workers', async () => {
    const [first, second] = workers(2, 10);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => [first!, second!][index % 2]!.acquire(by('w'))),
    );
    request(first!, by('one'));
    request(second!, by('two'));
    await until(async () => (await isWaiting('one')) && (await isWaiting('two')));
    expect(await redis.zcard((await keyOf('began'))!)).toBe(10);
    expect(admitted).toEqual([]);
    await age(MINUTE_MS);
    await until(() => admitted.length === 2);
    expect([...admitted].sort()).toEqual(['one', 'two']);
  });

  it('continues after Redis lost all keys and scripts', async () => {
    const [budget] = workers(1, 10);
    await budget!.acquire(by('w'));
    await redis.script('FLUSH');
    await server.wipe();
    await budget!.acquire(by('w'));
    expect(await redis.zcard((await keyOf('began'))!)).toBe(1);
  });

  it('is separate for every client id', async () => {
    const [budget] = workers(1, 1);
    client += 1;
    const [other] = workers(1, 1);
    await budget!.acquire(by('w'));
    await other!.acquire(by('w'));
    expect(await redis.keys('wss:budget:*:began')).toHaveLength(2);
  });

  it('lets workspaces take turns over all workers, however many requests one sends', async () => {
    const [first, second] = workers(2, 1);
    await first!.acquire(by('earlier'));
    for (let at = 0; at < 6; at++) request(first!, by('greedy'));
    await until(() => isWaiting('greedy'));
    for (let at = 0; at < 3; at++) request(second!, by('modest'));
    await until(() => isWaiting('modest'));
    for (let served = 1; served <= 6; served++) {
      await age(MINUTE_MS);
      await until(() => admitted.length === served);
    }
    const turns = admitted.map((workspaceId, at) => at > 0 && workspaceId === admitted[at - 1]);
    expect(turns).not.toContain(true);
  });

  it('serves urgent requests first', async () => {
    const [first, second] = workers(2, 1);
    await first!.acquire(by('earlier'));
    request(first!, by('large job'));
    await until(() => isWaiting('large job'));
    request(second!, by('small job', 'high'));
    await until(() => isWaiting('small job', 'high'));
    for (const served of [1, 2]) {
      await age(MINUTE_MS);
      await until(() => admitted.length === served);
    }
    expect(admitted).toEqual(['small job', 'large job']);
  });

  it('serves low requests while half of the budget is unused and no other waits', async () => {
    const [first, second] = workers(2, 4);
    for (let at = 0; at < 2; at++) await first!.acquire(by('low', 'low'));
    // They do not count as turns of their workspace.
    expect(await keyOf('served')).toBeUndefined();
    expect(await second!.state()).toMatchObject({ limit: 4, used: 2, remaining: 2, windowEndsInMs: null });
    request(first!, by('low', 'low'));
    await until(() => isWaiting('low', 'low'));
    for (let at = 0; at < 2; at++) await second!.acquire(by('job'));
    // Both are admitted within a moment; over one connection their answers keep their order.
    request(first!, by('job'));
    await until(() => isWaiting('job'));
    expect(admitted).toEqual([]);
    await age(MINUTE_MS);
    await until(() => admitted.length === 2);
    expect(admitted).toEqual(['job', 'low']);
  });

  it('serves a workspace within its fair share beside 500 urgent requests', async () => {
    const [first, second] = workers(2, 1);
    await first!.acquire(by('earlier'));
    for (let at = 0; at < 500; at++) request([first!, second!][at % 2]!, by('hostile', 'high'));
    await until(() => isWaiting('hostile', 'high'));
    for (let at = 0; at < 3; at++) request(second!, by('modest'));
    const ofModest = (): string[] => admitted.filter((workspaceId) => workspaceId === 'modest');
    for (let served = 1; served <= 6; served++) {
      // While the machine stands still, waiting requests lose their turn.
      await until(() => ofModest().length === 3 || isWaiting('modest'));
      await age(MINUTE_MS);
      await until(() => admitted.length === served);
    }
    expect(ofModest()).toHaveLength(3);
    expect(admitted.slice(0, 2)).toContain('modest');
  });

  it("sends no more than the platform's window has left", async () => {
    const [first, second] = workers(2, 1_000);
    await first!.acquire(by('w'));
    first!.report({ remaining: 2, used: 98, reset: 300 }, 200);
    await until(async () => (await left()) === '2');
    await second!.acquire(by('w'));
    await second!.acquire(by('w'));
    expect(await left()).toBe('0');
    expect(await first!.state()).toMatchObject({ used: 3, remaining: 0, windowEndsInMs: expect.any(Number) });
    request(first!, by('late'));
    await until(() => isWaiting('late'));
    expect(admitted).toEqual([]);
    // A response without headers was not counted in the window.
    second!.report(null, 404);
    await until(() => admitted.length === 1);
    expect(await left()).toBe('0');
    request(second!, by('later'));
    await until(() => isWaiting('later'));
    await age(300_000);
    await until(() => admitted.length === 2);
    expect(admitted).toEqual(['late', 'later']);
  });

  it('ignores an older response of the same window, whichever worker receives it', async () => {
    const [first, second] = workers(2, 1_000);
    await first!.acquire(by('w'));
    await second!.acquire(by('w'));
    first!.report({ remaining: 0, used: 600, reset: 300 }, 200);
    await until(async () => (await left()) === '0');
    second!.report({ remaining: 5, used: 595, reset: 300 }, 200);
    request(second!, by('late'));
    await until(async () => admitted.length > 0 || (await isWaiting('late')));
    expect(admitted).toEqual([]);
  });

  it('ignores a stored window that ends more than a day from now', async () => {
    const [budget] = workers(1, 1_000);
    await budget!.acquire(by('w'));
    budget!.report({ remaining: 0, used: null, reset: 86_400 }, 429);
    await until(async () => (await left()) === '0');
    await expect(budget!.acquire(by('early'))).rejects.toMatchObject({ code: 'rate_limited' });
    await age(-60_000);
    expect(await budget!.state()).toMatchObject({ windowEndsInMs: null });
    await budget!.acquire(by('w'));
    budget!.report({ remaining: 1, used: null, reset: 30 }, 200);
    await until(async () => (await left()) === '1');
    expect(await budget!.state()).toMatchObject({ remaining: 1 });
  });

  it('counts on when a response states more requests than any limit has', async () => {
    const [budget] = workers(1, 1_000);
    await budget!.acquire(by('w'));
    budget!.report(parseRateLimit({ remaining: '1e30', used: null, reset: '60' }, Date.now()), 200);
    await until(async () => (await left()) !== null);
    await budget!.acquire(by('w'));
    expect(await left()).toBe(String(Number.MAX_SAFE_INTEGER - 1));
  });

  it('keeps a quarter of the limit for workspaces with less than an equal share', async () => {
    const [first, second] = workers(2, 8);
    await first!.acquire(by('modest'));
    for (let at = 0; at < 5; at++) await first!.acquire(by('large'));
    request(first!, by('large', 'high'));
    await until(() => isWaiting('large', 'high'));
    for (let at = 0; at < 2; at++) await second!.acquire(by('modest'));
    expect(await second!.state()).toMatchObject({ used: 8 });
    expect(admitted).toEqual([]);
    await age(MINUTE_MS);
    await until(() => admitted.length === 1);
  });

  it('serves a smaller workspace before a larger one of the same process', async () => {
    const [budget] = workers(1, 8);
    await budget!.acquire(by('modest'));
    for (let at = 0; at < 5; at++) await budget!.acquire(by('large'));
    request(budget!, by('large', 'high'));
    request(budget!, by('modest'));
    await until(() => admitted.length === 1);
    expect(admitted).toEqual(['modest']);
  });

  it('forgets the share of a workspace with its requests', async () => {
    const [budget] = workers(1, 8);
    await budget!.acquire(by('modest'));
    for (let at = 0; at < 5; at++) await budget!.acquire(by('large'));
    await age(MINUTE_MS);
    for (let at = 0; at < 8; at++) await budget!.acquire(by('large'));
    expect(await redis.hgetall((await keyOf('used'))!)).toEqual({ large: '8' });
  });

  it('keeps half of what the limit allows until the end of the window for them', async () => {
    const [first, second] = workers(2, 12);
    await first!.acquire(by('modest'));
    for (let at = 0; at < 6; at++) await first!.acquire(by('large'));
    // Six other requests have no response yet, so 5 are left; half of the limit of 60 s is 6.
    first!.report({ remaining: 11, used: 89, reset: 60 }, 200);
    await until(async () => (await left()) === '5');
    request(first!, by('large'));
    await until(() => isWaiting('large'));
    await second!.acquire(by('modest'));
    expect(admitted).toEqual([]);
    // Half of the limit of 30 s is 3.
    await age(30_000);
    await until(() => admitted.length === 1);
    expect(await left()).toBe('3');
  });

  it('rejects a waiting request at once when its signal aborts', async () => {
    const [budget] = workers(1, 1);
    await budget!.acquire(by('w'));
    const caller = new AbortController();
    const waiting = budget!.acquire({ ...by('w'), signal: caller.signal });
    await until(() => isWaiting('w'));
    caller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
  });

  it('stays within a limit that the source states, too', async () => {
    const [budget] = workers(1, 100);
    budget!.limitTo({ requests: 2, withinMs: MINUTE_MS });
    await budget!.acquire(by('w'));
    await budget!.acquire(by('w'));
    request(budget!, by('w'));
    await until(() => isWaiting('w'));
    expect(await budget!.state()).toMatchObject({ limit: 2, used: 2, remaining: 0 });
    budget!.limitTo({ requests: 5, withinMs: MINUTE_MS });
    expect(await budget!.state()).toMatchObject({ limit: 5, remaining: 3 });
  });

  describe('while Redis does not answer', () => {
    it('continues with a quarter of the budget', async () => {
      const sockets: Socket[] = [];
      const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const connection = new Redis(port, '127.0.0.1', { commandTimeout: 50, maxRetriesPerRequest: 0 });
      connection.on('error', () => undefined);
      connections.push(connection);
      const budget = new RedisRequestBudget(connection, 'alone', perMinute(8));
      try {
        await budget.acquire(by('w'));
        await budget.acquire(by('w'));
        const caller = new AbortController();
        const third = budget.acquire({ ...by('w'), signal: caller.signal });
        request(budget, by('other', 'high'));
        await new Promise((resolve) => setImmediate(resolve));
        caller.abort(new Error('cancelled'));
        await expect(third).rejects.toThrow('cancelled');
        expect(admitted).toEqual([]);
      } finally {
        for (const socket of sockets) socket.destroy();
        silent.close();
      }
    });
  });
});
