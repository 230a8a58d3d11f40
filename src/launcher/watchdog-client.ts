import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EndingStep, ProcessIdentity } from './ending.js';
import type { WatchdogOrder } from './watchdog.js';

/** Which of the watched end first when this process is killed: what uses a server ends before the server. */
export const RANK = { process: 1, server: 2 } as const;

const GOODBYE_MS = 60_000;

/** This process's end of the watchdog: what is told to it is ended (or removed) however this process ends. */
export class Watchdog {
  private constructor(private readonly child: ChildProcess) {}

  static start(): Watchdog {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.js')], {
      // A group of its own: Ctrl-C and a kill of this process's group must not reach it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: {},
    });
    child.stdin?.on('error', () => undefined);
    child.unref();
    return new Watchdog(child);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  watch(target: ProcessIdentity & { rank: number; steps: readonly EndingStep[] }): void {
    this.tell({ ...target, do: 'watch', steps: [...target.steps] });
  }

  forget(pid: number): void {
    this.tell({ do: 'forget', pid });
  }

  removeAtEnd(folder: string): void {
    this.tell({ do: 'remove', folder });
  }

  /** Lets it end what is still watched, and waits until it has gone itself. */
  async close(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit', { signal: AbortSignal.timeout(GOODBYE_MS) }).catch(() => undefined);
    this.child.ref();
    this.child.stdin?.end();
    await gone;
  }

  private tell(order: WatchdogOrder): void {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
  }
}
