import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import type { ServiceOrder } from './service-orders.js';

const child = new EventEmitter() as ChildProcess;
const orders: ServiceOrder['do'][] = [];
child.send = (order: ServiceOrder) => {
  orders.push(order.do);
  if (order.do === 'serve') child.emit('message', { listening: 'http://127.0.0.1:3000' });
  return true;
};

jest.unstable_mockModule('./supervisor.js', () => ({
  supervise: async ({
    spawn,
    ready,
  }: {
    spawn: () => Promise<unknown>;
    ready: (ended: AbortSignal) => Promise<void>;
  }) => {
    await spawn();
    await ready(new AbortController().signal);
    return {};
  },
}));
const environments: NodeJS.ProcessEnv[] = [];
jest.unstable_mockModule('./programs.js', () => ({
  spawnProgram: (_program: string, { env }: { env: NodeJS.ProcessEnv }) => {
    environments.push(env);
    return child;
  },
  NODE_OPTIONS: [],
  MEMORY_VARIABLES: { KEPT: '4', TRIMMED: '16' },
}));
const { startServiceProcess } = await import('./service-processes.js');

describe('a process of the service', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is not awaited forever when it does not answer an order to create a workspace', async () => {
    const variables = { DATABASE_URL: 'postgres://db', REDIS_URL: 'redis://cache' };
    const started = await startServiceProcess(
      {} as Parameters<typeof startServiceProcess>[0],
      ['api'],
      0,
      {},
      Promise.resolve(variables),
    );
    const timeout = new AbortController();
    const bound = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const created = started.createWorkspace('default');
    timeout.abort(new Error('too late'));
    await expect(created).rejects.toMatchObject({ cause: { message: 'too late' } });
    expect([orders, bound.mock.calls]).toEqual([['serve', 'create workspace'], [[60_000]]]);
  });

  it("keeps freed memory, unless the operator's variables say otherwise", async () => {
    await startServiceProcess(
      {} as Parameters<typeof startServiceProcess>[0],
      ['worker'],
      0,
      { TRIMMED: '1' },
      Promise.resolve({ DATABASE_URL: 'postgres://db', REDIS_URL: 'redis://cache' }),
    );
    expect(environments.at(-1)).toEqual({ KEPT: '4', TRIMMED: '1' });
  });
});
