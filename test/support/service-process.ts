import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/main.js');

/** A process of the service that a test may kill at any moment. */
export class ServiceProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves once it serves; fails when it ends before. */
  static async start(environment: Record<string, string>): Promise<ServiceProcess> {
    const child = fork(MAIN, {
      env: { ...process.env, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...environment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The process ended with ${code} before it served`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new ServiceProcess(child);
  }

  /** `kill -9`: no hook runs, no lease is given back. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}
