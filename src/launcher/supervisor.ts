import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, type EndingStep, type ProcessIdentity } from './ending.js';
import { startOfProcess } from './process-identity.js';
import type { Watchdog } from './watchdog-client.js';

const RESTART_DELAYS_MS = [250, 1_000, 4_000, 10_000, 30_000];
const STEADY_AFTER_MS = 60_000;

/** How long to wait before restart number n (from 0) in a row; null when it is time to give up. */
export function restartDelay(restartsInARow: number): number | null {
  return RESTART_DELAYS_MS[restartsInARow] ?? null;
}

export interface Supervised {
  /** Ends the process and does not bring it back. */
  stop(): Promise<void>;
}

export interface SupervisionOptions {
  /** As the operator reads it, e.g. "Postgres". */
  name: string;
  rank: number;
  endingSteps: readonly EndingStep[];
  watchdog: Watchdog;
  /** May prepare first, e.g. clear what a killed predecessor left. */
  spawn: () => Promise<ChildProcess>;
  /** Told of every process that was spawned, e.g. to put it on record for a later run. */
  started?: (identity: ProcessIdentity) => Promise<void>;
  /** Resolves once it serves; must give up when `signal` is aborted, which happens when the process ends. */
  ready: (signal: AbortSignal) => Promise<void>;
  log: (line: string) => void;
  /** Called once, when it ended too often. */
  onGaveUp: (error: Error) => void;
}

/** Starts a process and brings it back when it ends by itself, with a growing pause and not for ever. */
export async function supervise(options: SupervisionOptions): Promise<Supervised> {
  const supervision = new Supervision(options);
  await supervision.startOnce();
  return supervision;
}

class Supervision implements Supervised {
  private child: ChildProcess | null = null;
  private startedAt = '';
  private readonly stopping = new AbortController();
  private restarting: Promise<void> = Promise.resolve();
  private restartsInARow = 0;
  private readyAt = 0;

  constructor(private readonly options: SupervisionOptions) {}

  async startOnce(): Promise<void> {
    const { name, rank, endingSteps, watchdog } = this.options;
    const child = await this.options.spawn();
    const ended = new AbortController();
    child.once('error', (error) => ended.abort(new Error(`${name} cannot be started: ${error.message}`)));
    child.once('exit', (code, by) =>
      ended.abort(new Error(`${name} ended ${by === null ? `with code ${code}` : `by ${by}`}`)),
    );
    const { pid } = child;
    const startedAt = pid === undefined ? null : await startOfProcess(pid);
    if (pid !== undefined && startedAt !== null) {
      this.child = child;
      this.startedAt = startedAt;
      watchdog.watch({ pid, startedAt, rank, steps: endingSteps });
    }
    try {
      if (this.child !== null) await this.options.started?.({ pid: pid!, startedAt: this.startedAt });
      await this.options.ready(ended.signal);
      ended.signal.throwIfAborted();
    } catch (error) {
      await this.endChild();
      // Why it ended says more than that the wait for it was broken off.
      throw ended.signal.aborted ? ended.signal.reason : error;
    }
    this.readyAt = performance.now();
    // From here on an end is unexpected unless it was asked for.
    const unexpected = () => {
      if (!this.stopping.signal.aborted)
        this.restarting = this.bringBack(ended.signal.reason as Error).catch((error: unknown) =>
          this.options.onGaveUp(error as Error),
        );
    };
    ended.signal.addEventListener('abort', unexpected, { once: true });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restarting;
    await this.endChild();
  }

  private async bringBack(cause: Error): Promise<void> {
    if (performance.now() - this.readyAt > STEADY_AFTER_MS) this.restartsInARow = 0;
    let reason = cause;
    for (;;) {
      this.forgetChild();
      const delay = restartDelay(this.restartsInARow);
      if (delay === null)
        throw new Error(`${reason.message}; it was restarted ${this.restartsInARow} times in vain`);
      this.options.log(`${reason.message}; starting it again in ${delay / 1_000} s`);
      await sleep(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      this.restartsInARow += 1;
      try {
        await this.startOnce();
        this.options.log(`${this.options.name} runs again`);
        return;
      } catch (error) {
        reason = error as Error;
      }
    }
  }

  private async endChild(): Promise<void> {
    const pid = this.child?.pid;
    if (pid !== undefined) {
      const gone = await endProcess({ pid, startedAt: this.startedAt }, this.options.endingSteps);
      if (!gone) this.options.log(`${this.options.name} (process ${pid}) does not end`);
    }
    this.forgetChild();
  }

  private forgetChild(): void {
    if (this.child?.pid !== undefined) this.options.watchdog.forget(this.child.pid);
    this.child = null;
  }
}
