import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { onLinux } from '../../test/support/skip-unless.js';
import { KernelLock } from './kernel-lock.js';
import { Watchdog } from './watchdog-client.js';

// Simulates a disk that writes late: the lock file must be complete before it becomes the lock.
jest.unstable_mockModule('node:fs/promises', () => ({
  ...files,
  writeFile: async (...given: Parameters<typeof files.writeFile>) => {
    await setImmediate();
    await files.writeFile(...given);
  },
}));
const { lockDataDir } = await import('./data-dir-lock.js');

describe('the lock of a data folder', () => {
  let folder: string;
  let another: KernelLock;
  let watchdog: Watchdog;

  beforeEach(async () => {
    folder = await files.mkdtemp(join(tmpdir(), 'data-dir-lock-'));
    another = new KernelLock(join(folder, 'service.flock'));
    watchdog = Watchdog.start();
    watchdog.removeAtEnd(folder);
  });
  afterEach(async () => {
    await another.release();
    await watchdog.close();
  });

  onLinux().it('keeps other processes out through the kernel until it is released', async () => {
    const lock = await lockDataDir(folder, watchdog);
    expect(await another.acquire(0)).toBe('taken');
    await lock.release();
    expect(await another.acquire(0)).toBe('held');
    expect(await watchdog.lock(join(folder, 'service.flock'), 0)).toBe('taken');
  });

  it('is refused while the kernel says that another container has it', async () => {
    const taken = { lock: () => Promise.resolve('taken') } as unknown as Watchdog;
    await expect(lockDataDir(folder, taken)).rejects.toThrow('in another container or still shutting down');
  });
});
