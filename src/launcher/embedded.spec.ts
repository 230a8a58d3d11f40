import { isPostgresOf } from './postgres-cluster.js';
import { isRunning, startFromStat, startOfProcess } from './process-identity.js';
import { redisConfiguration } from './embedded-redis.js';
import { endingOrder } from './watchdog.js';

describe('startFromStat', () => {
  const stat = (name: string, state: string) =>
    `42 (${name}) ${state} 1 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 98765 1000 10 184467`;

  it('reads the start time after a name with spaces and parentheses', () => {
    expect(startFromStat(stat('a) R (b', 'S'), 'boot')).toBe('boot:98765');
  });

  it('counts a zombie as ended', () => {
    expect(startFromStat(stat('node', 'Z'), 'boot')).toBeNull();
  });
});

describe('isRunning', () => {
  it('distinguishes a process from a later one with the same id', async () => {
    const start = await startOfProcess(process.pid);
    expect(await isRunning(process.pid, start!)).toBe(true);
    expect(await isRunning(process.pid, 'another start')).toBe(false);
  });
});

describe('isPostgresOf', () => {
  it.each([
    ['/x/bin/postgres -D /data/postgres -c port=1', true],
    ['/x/bin/postgres -D /data/postgres', true],
    ['/x/bin/postgres -D /data/postgres2 -c port=1', false],
    ['vim -D /data/postgres', false],
    ['', false],
  ])('%s: %s', (command, expected) => {
    expect(isPostgresOf(command, '/data/postgres')).toBe(expected);
  });
});

describe('redisConfiguration', () => {
  it('listens only on loopback, requires the password and writes nothing', () => {
    expect(redisConfiguration(6000, 'secret').split('\n')).toEqual(
      expect.arrayContaining([
        'bind 127.0.0.1',
        'port 6000',
        'requirepass secret',
        'save ""',
        'appendonly no',
        // Redis must not drop queue entries when it runs out of memory.
        'maxmemory-policy noeviction',
      ]),
    );
  });
});

describe('endingOrder', () => {
  it('ends the processes that use a server before the server', () => {
    const watched = [
      { pid: 1, rank: 2 },
      { pid: 2, rank: 1 },
      { pid: 3, rank: 2 },
    ];
    expect(endingOrder(watched).map((group) => group.map(({ pid }) => pid))).toEqual([[2], [1, 3]]);
  });
});
