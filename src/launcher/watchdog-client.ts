import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { withTimeout } from '../common/timeout.js';
import type { EndingStep, ProcessIdentity } from './end-process.js';
import type { KernelLockState } from './kernel-lock.js';
import { spawnProgram } from './programs.js';
import { watchdogAnswer, type WatchdogAnswer, type WatchdogOrder } from './watchdog.js';

/** The order in which watched processes end: processes that use a server end before the server. */
export const RANK = { process: 1, server: 2 } as const;

const CLOSE_TIMEOUT_MS = 60_000;
/** Added to the wait for the lock itself. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * The parent's side of the watchdog: everything registered here is ended, removed or freed when this process ends, for
 * whatever reason.
 */
export class Watchdog {
  private readonly answers: Interface;

  private constructor(private readonly child: ChildProcess) {
    child.stdin?.on('error', () => undefined);
    this.answers = createInterface({ input: child.stdout! });
    child.unref();
    this.keepAlive(false);
  }

  static start(): Watchdog {
    return new Watchdog(
      spawnProgram('watchdog', {
        stdio: ['pipe', 'pipe', 'ignore'],
        cwd: '/',
        env: { PATH: process.env.PATH },
      }),
    );
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Registers a process to end when this one ends. */
  watch(target: ProcessIdentity & { rank: number; steps: readonly EndingStep[] }): void {
    this.send({ ...target, do: 'watch', steps: [...target.steps] });
  }

  forget(pid: number): void {
    this.send({ do: 'forget', pid });
  }

  /** Registers a folder to remove when this process ends. */
  removeAtEnd(folder: string): void {
    this.send({ do: 'remove', folder });
  }

  /**
   * Takes the kernel's lock on a file, retrying for up to `waitMs` while another process has it. The watchdog keeps it
   * until {@link unlock} or, after this process has ended, until it has ended the watched processes.
   */
  async lock(file: string, waitMs: number): Promise<KernelLockState> {
    const { state } = await this.ask({ do: 'lock', file, waitMs }, waitMs + ANSWER_TIMEOUT_MS);
    return state === 'free' ? 'unavailable' : state;
  }

  async unlock(file: string): Promise<void> {
    await this.ask({ do: 'unlock', file }, ANSWER_TIMEOUT_MS);
  }

  /**
   * Makes the watchdog end all processes still watched; resolves when the watchdog itself has ended, after 60 s at the
   * latest.
   */
  async close(): Promise<void> {
    if (this.hasEnded) return;
    const exited = once(this.child, 'exit', { signal: AbortSignal.timeout(CLOSE_TIMEOUT_MS) }).catch(
      () => undefined,
    );
    this.child.ref();
    this.child.stdin?.end();
    await exited;
  }

  private get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  private send(order: WatchdogOrder): void {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  private async ask(
    order: Extract<WatchdogOrder, { file: string }>,
    timeoutMs: number,
  ): Promise<WatchdogAnswer> {
    if (this.hasEnded) return { file: order.file, state: 'free' };
    this.keepAlive(true);
    const ended = new AbortController();
    const answered = new Promise<WatchdogAnswer>((resolve) => {
      const read = (line: string): void => {
        const answer = watchdogAnswer.parse(JSON.parse(line));
        if (answer.file === order.file) resolve(answer);
      };
      this.answers.on('line', read);
      // A killed watchdog sends no responses, and its locks are free.
      this.child.once('exit', () => resolve({ file: order.file, state: 'free' }));
      ended.signal.addEventListener('abort', () => this.answers.off('line', read), { once: true });
    });
    this.send(order);
    try {
      return await withTimeout(answered, timeoutMs, 'The watchdog did not respond');
    } finally {
      ended.abort();
      this.keepAlive(false);
    }
  }

  /** An open pipe keeps the process alive; this one may do so only while a response is awaited. */
  private keepAlive(keep: boolean): void {
    const output = this.child.stdout as unknown as { ref(): void; unref(): void };
    if (keep) output.ref();
    else output.unref();
  }
}
