import { existsSync, readdirSync } from 'node:fs';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

/** Niceness of threads, by their ids; 0 is the calling thread. */
const priorities = new Map<number, number>();
const listen = jest.fn<(port: number, host: string) => Promise<void>>().mockResolvedValue();
const os = await import('node:os');
jest.unstable_mockModule('node:os', () => ({
  ...os,
  setPriority: (...given: [number] | [number, number]) =>
    priorities.set(given.length === 1 ? 0 : given[0], given.at(-1)!),
}));
jest.unstable_mockModule('./application.js', () => ({
  createApplication: () =>
    Promise.resolve({
      enableShutdownHooks: () => undefined,
      getUrl: () => Promise.resolve('http://127.0.0.1:3001'),
      listen,
    }),
}));
jest.unstable_mockModule('./infrastructure/await-servers.js', () => ({
  awaitServers: () => Promise.resolve(),
}));
const { serve } = await import('./serve.js');

const threads = (): number[] =>
  existsSync('/proc/self/task') ? readdirSync('/proc/self/task').map(Number) : [];

describe('a process of the service', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(() => priorities.clear());

  const start = (ROLES: string) =>
    serve({ ROLES, DATABASE_URL: 'postgres://db', REDIS_URL: 'redis://cache', PORT: '3001' });

  it.each(['api', 'api,worker,scheduler'])('keeps its priority with the roles %s', async (roles) => {
    await start(roles);
    expect(priorities.size).toBe(0);
    expect(listen).toHaveBeenLastCalledWith(3001, '127.0.0.1');
  });

  it.each(['worker', 'worker,scheduler'])('lowers the priority of all its threads with %s', async (roles) => {
    await start(roles);
    expect([...priorities.keys()]).toEqual(expect.arrayContaining([0, ...threads()]));
    expect(new Set(priorities.values())).toEqual(new Set([10]));
  });

  it('says that it serves, and from which signal on it no longer does', async () => {
    const said = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => undefined);
    await start('scheduler');
    const [onSignal] = process.listeners('SIGTERM').slice(-1) as [() => void];
    onSignal();
    expect(said.mock.calls.map(([line]) => line as string)).toEqual([
      expect.stringMatching(/^Version \S+ serves scheduler at http:\/\/127\.0\.0\.1:3001$/),
      'Stopping because of SIGTERM',
    ]);
  });
});
