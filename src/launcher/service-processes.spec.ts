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
jest.unstable_mockModule('./programs.js', () => ({ spawnProgram: () => child, NODE_OPTIONS: [] }));
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
});
