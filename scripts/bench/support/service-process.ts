import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { MEMORY_VARIABLES, NODE_OPTIONS, programFile } from '../../../src/launcher/programs.js';

const READY_TIMEOUT_MS = 90_000;
/** Longer than a process takes to drain after SIGTERM. */
const END_TIMEOUT_MS = 30_000;

/** The environment variables of a process of the service. */
export type ServiceVariables = Readonly<Record<string, string>> & { readonly ROLES: string };

/** A process of the service that can be killed, silenced and stopped at any moment. The constructor starts it. */
export class ServiceProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private address = '';

  /** `variables` are its whole environment except for `PATH`, `HOME`, {@link MEMORY_VARIABLES} and `NODE_OPTIONS`, which allows
   * profiling. */
  constructor(variables: ServiceVariables) {
    const { PATH, HOME } = process.env;
    const options = ['--no-warnings', ...NODE_OPTIONS];
    this.child = spawn(process.execPath, [...options, programFile('service')], {
      env: {
        ...MEMORY_VARIABLES,
        PATH,
        HOME,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        NODE_ENV: 'production',
        ...variables,
      },
      // Standard output is reserved for the result of a benchmark.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.ended = once(this.child, 'exit');
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** The address of the process, once it is {@link ready}. */
  get url(): string {
    return this.address;
  }

  /** Resolves when it is listening; fails when it exits first, or after 90 s. */
  async ready(): Promise<this> {
    const ended = this.ended.then(() => {
      throw new Error('The process of the service ended before it served');
    });
    const [{ listening }] = (await Promise.race([
      once(this.child, 'message', { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }),
      ended,
    ])) as [{ listening: string }];
    this.address = listening;
    ended.catch(() => undefined);
    return this;
  }

  /** Pauses it without ending it: connections stay open but get no response. */
  silence(): void {
    this.child.kill('SIGSTOP');
  }

  /** Ends a {@link silence}. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Sends the signal and resolves when it has exited; after 30 s kills it and fails. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    let isLate = false;
    const killed = setTimeout(() => {
      isLate = true;
      this.child.kill('SIGKILL');
    }, END_TIMEOUT_MS);
    this.child.kill(signal);
    await this.ended;
    clearTimeout(killed);
    if (isLate)
      throw new Error(`Process ${this.pid} had not ended ${END_TIMEOUT_MS / 1_000} s after ${signal}`);
  }
}
