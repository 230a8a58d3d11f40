import { jest } from '@jest/globals';

const priorities: number[] = [];
const listen = jest.fn<(port: number, host: string) => Promise<void>>().mockResolvedValue();
const os = await import('node:os');
jest.unstable_mockModule('node:os', () => ({
  ...os,
  setPriority: (niceness: number) => priorities.push(niceness),
}));
jest.unstable_mockModule('./application.js', () => ({
  createApplication: () => Promise.resolve({ enableShutdownHooks: () => undefined, listen }),
}));
jest.unstable_mockModule('./infrastructure/await-servers.js', () => ({
  awaitServers: () => Promise.resolve(),
  ServerUnreachable: class {},
}));
const { serve } = await import('./serve.js');

describe('a process of the service', () => {
  it.each([
    ['api', []],
    ['api,worker,scheduler', []],
    ['worker', [10]],
    ['worker,scheduler', [10]],
  ])('with the roles %s lowers its priority by %j', async (ROLES, expected) => {
    priorities.length = 0;
    await serve({ ROLES, DATABASE_URL: 'postgres://db', REDIS_URL: 'redis://cache', PORT: '3001' });
    expect(priorities).toEqual(expected);
    expect(listen).toHaveBeenLastCalledWith(3001, '127.0.0.1');
  });
});
