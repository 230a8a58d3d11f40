import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_EVERY_MS = 100;
const HELD = 'held';
/** Exit code of `flock --nonblock` when another process has the lock. */
const CONFLICT_EXIT_CODE = 1;

/** `unavailable`: this machine has no `flock` command (macOS), or the file system does not support such locks. */
export type KernelLockState = 'held' | 'taken' | 'unavailable';

/**
 * A flock(2) lock on a file. Node.js has no such call, so the `flock` command holds it in a child process whose
 * standard input is a pipe from this process: the kernel frees the lock whenever this process ends, for whatever
 * reason. The lock also works between containers that share the folder, where process ids are meaningless.
 */
export class KernelLock {
  private holder: ChildProcess | null = null;

  constructor(private readonly file: string) {}

  /** Takes the lock, retrying for up to `waitMs` while another process has it. */
  async acquire(waitMs: number): Promise<KernelLockState> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const state = await this.tryOnce();
      if (state !== 'taken' || performance.now() > deadline) return state;
      await sleep(RETRY_EVERY_MS);
    }
  }

  /** Frees the lock; resolves when it is free. */
  async release(): Promise<void> {
    const { holder } = this;
    this.holder = null;
    if (holder === null || holder.exitCode !== null || holder.signalCode !== null) return;
    const exited = once(holder, 'exit');
    holder.stdin?.end();
    await exited;
  }

  private async tryOnce(): Promise<KernelLockState> {
    const child = spawn('flock', ['-n', this.file, 'sh', '-c', `echo ${HELD}; exec cat >/dev/null`], {
      // Its own process group: signals to the service's group must not free the lock.
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    });
    child.stdin.on('error', () => undefined);
    const state = await Promise.race([
      once(child.stdout, 'data').then((): KernelLockState => 'held'),
      once(child, 'exit').then(
        ([code]): KernelLockState => (code === CONFLICT_EXIT_CODE ? 'taken' : 'unavailable'),
        (): KernelLockState => 'unavailable',
      ),
    ]);
    if (state === 'held') this.holder = child;
    return state;
  }
}
