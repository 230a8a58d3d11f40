import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeOptionsOf, programFile } from '../../../src/launcher/programs.js';

const READY_TIMEOUT_MS = 90_000;
/** Beyond what a process takes to drain after SIGTERM. */
const END_TIMEOUT_MS = 30_000;

/** The variables of a process of the service. */
export type ServiceVariables = Readonly<Record<string, string>> & { readonly ROLES: string };

/** A process of the service that may be killed, silenced and stopped at any moment. It is started by the constructor. */
export class ServiceProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;
  private address = '';

  /** `variables` are its whole environment but for `PATH`, `HOME`, and `NODE_OPTIONS`, by which it can be profiled. */
  constructor(variables: ServiceVariables) {
    const { PATH, HOME, NODE_OPTIONS } = process.env;
    const options = ['--no-warnings', ...nodeOptionsOf(variables.ROLES.split(','))];
    this.child = spawn(process.execPath, [...options, programFile('service')], {
      env: { PATH, HOME, NODE_OPTIONS, NODE_ENV: 'production', ...variables },
      // What a benchmark prints on standard output is its result.
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.ended = once(this.child, 'exit');
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Where it serves, once it is {@link ready}. */
  get url(): string {
    return this.address;
  }

  /** Resolves when it serves; fails when it ends before, or after 90 s. */
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

  /** Stops it without ending it: connections stay open and nothing is answered. */
  silence(): void {
    this.child.kill('SIGSTOP');
  }

  /** Ends a {@link silence}. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  /** Resolves when it has ended; kills it and fails after 30 s. */
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
