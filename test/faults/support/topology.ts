import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../src/launcher/free-port.js';
import type { Role } from '../../../src/config/roles.js';
import { type Installation, scrapingVariables } from '../../../scripts/bench/support/jobs.js';
import { ServiceProcess, type ServiceVariables } from '../../../scripts/bench/support/service-process.js';

const START_ATTEMPTS = 10;
const START_RETRY_MS = 1_000;

/** One member of a topology: a process with one role, which keeps its port across restarts. */
export class TopologyMember {
  private process: ServiceProcess;

  private constructor(
    /** Role and number, e.g. `api-1`. */
    readonly name: string,
    readonly role: Role,
    readonly url: string,
    private readonly variables: ServiceVariables,
  ) {
    this.process = new ServiceProcess(variables);
  }

  static async start(role: Role, number: number, variables: Record<string, string>): Promise<TopologyMember> {
    const port = await freePort();
    const member = new TopologyMember(`${role}-${number}`, role, `http://127.0.0.1:${port}`, {
      ...variables,
      ROLES: role,
      PORT: String(port),
    });
    try {
      await member.process.ready();
    } catch (error) {
      await member.kill();
      throw error;
    }
    return member;
  }

  get pid(): number {
    return this.process.pid;
  }

  /** Ends the process with this signal and starts another; resolves when that one is listening. */
  async restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    await this.process.end(signal);
    await this.startAgain();
  }

  silence(): void {
    this.process.silence();
  }

  resume(): void {
    this.process.resume();
  }

  async kill(): Promise<void> {
    await this.process.end('SIGKILL');
  }

  /** Retries as a service manager does, because a process exits when Postgres refuses connections during its start. */
  private async startAgain(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      this.process = new ServiceProcess(this.variables);
      try {
        await this.process.ready();
        return;
      } catch (error) {
        await this.process.end('SIGKILL');
        if (attempt === START_ATTEMPTS) throw error;
        await sleep(START_RETRY_MS);
      }
    }
  }
}

/** Several processes of each role on one Postgres and one Redis, as if on several machines. */
export class Topology {
  private constructor(readonly members: readonly TopologyMember[]) {}

  /** Starts the given number of processes of each role; `overrides` are additional variables for all of them. */
  static async start(
    installation: Installation,
    counts: Readonly<Record<Role, number>>,
    overrides: Record<string, string> = {},
  ): Promise<Topology> {
    const variables = { ...scrapingVariables(installation), ...overrides };
    const roles = (['api', 'worker', 'scheduler'] as const).flatMap((role) =>
      Array.from({ length: counts[role] }, (_, index) => ({ role, number: index + 1 })),
    );
    const started = await Promise.allSettled(
      roles.map(({ role, number }) => TopologyMember.start(role, number, variables)),
    );
    const members = started.flatMap((member) => (member.status === 'fulfilled' ? [member.value] : []));
    const failed = started.find((member) => member.status === 'rejected');
    if (failed !== undefined) {
      await Promise.all(members.map((member) => member.kill()));
      throw failed.reason;
    }
    return new Topology(members);
  }

  withRole(role: Role): TopologyMember[] {
    return this.members.filter((member) => member.role === role);
  }

  /** Restarts every process with SIGTERM, one after another. */
  async restartAll(): Promise<void> {
    for (const member of this.members) await member.restart('SIGTERM');
  }

  async kill(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill()));
  }
}
