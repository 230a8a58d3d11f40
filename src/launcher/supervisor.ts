import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { endProcess, type EndingStep, type ProcessIdentity } from './end-process.js';
import { startOfProcess } from './process-identity.js';
import type { Watchdog } from './watchdog-client.js';

const RESTART_DELAYS_MS = [250, 1_000, 4_000, 10_000, 30_000];
const STABLE_AFTER_MS = 60_000;

/** The delay in milliseconds before consecutive restart n (from 0); null when there is no further restart. */
export function restartDelay(restartsInARow: number): number | null {
  return RESTART_DELAYS_MS[restartsInARow] ?? null;
}

/** A supervised process. */
export interface Supervised {
  /** Ends the process and does not restart it. */
  stop(): Promise<void>;
}

/** A supervised process ended. */
export class ProcessEnded extends Error {
  constructor(
    name: string,
    /** Its exit code; null when a signal ended it. */
    readonly code: number | null,
    signal: NodeJS.Signals | null,
  ) {
    super(`${name} ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
  }
}

/** Options of {@link supervise}. */
export interface SupervisionOptions {
  /** For messages to the operator, e.g. "Postgres". */
  name: string;
  rank: number;
  endingSteps: readonly EndingStep[];
  watchdog: Watchdog;
  /** Starts the process. It may clean up first, e.g. stop processes that a killed predecessor left. */
  spawn: () => Promise<ChildProcess>;
  /** Called with every spawned process, e.g. to record it for a later start. */
  started?: (identity: ProcessIdentity) => Promise<void>;
  /** Resolves when the process serves. Must reject when `signal` aborts, which happens when the process ends. */
  ready: (signal: AbortSignal) => Promise<void>;
  log: (line: string) => void;
  /** The sentence that its log gives for its end, if any. */
  lastWords?: () => Promise<string | null>;
  /** Called once, when the process has ended too often. */
  onGaveUp: (error: Error) => void;
}

/** Starts a process and restarts it when it ends unexpectedly, with growing delays and at most 5 times in a row. */
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
    child.once('exit', (code, signal) => ended.abort(new ProcessEnded(name, code, signal)));
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
      // The reason of its end is more useful than the error of the interrupted wait.
      throw ended.signal.aborted ? ended.signal.reason : error;
    }
    this.readyAt = performance.now();
    // From now on an end that `stop` did not cause leads to a restart.
    const unexpected = () => {
      if (!this.stopping.signal.aborted)
        this.restarting = this.restart(ended.signal.reason as Error).catch((error: unknown) =>
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

  private async restart(cause: Error): Promise<void> {
    if (performance.now() - this.readyAt > STABLE_AFTER_MS) this.restartsInARow = 0;
    let reason = cause;
    for (;;) {
      this.forgetChild();
      const delay = restartDelay(this.restartsInARow);
      const said = await this.options.lastWords?.();
      const what = said ? `${reason.message} (${said})` : reason.message;
      if (delay === null) throw new Error(`${what}; ${this.restartsInARow} restarts failed`);
      this.options.log(`${what}; restarting it in ${delay / 1_000} s`);
      await sleep(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      this.restartsInARow += 1;
      try {
        await this.startOnce();
        this.options.log(`${this.options.name} was restarted`);
        return;
      } catch (error) {
        reason = error as Error;
      }
    }
  }

  private async endChild(): Promise<void> {
    const pid = this.child?.pid;
    if (pid !== undefined) {
      const ended = await endProcess({ pid, startedAt: this.startedAt }, this.options.endingSteps);
      if (!ended) this.options.log(`${this.options.name} (process ${pid}) did not end`);
    }
    this.forgetChild();
  }

  private forgetChild(): void {
    if (this.child?.pid !== undefined) this.options.watchdog.forget(this.child.pid);
    this.child = null;
  }
}
