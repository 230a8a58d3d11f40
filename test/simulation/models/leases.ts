import type { JobExecution } from '../../../src/collect/scraping/job-execution.js';
import type { ServiceProcess } from '../processes.js';
import { Violation } from '../violation.js';

/** Longer than any lease: what a process holds may have expired if it was disturbed so recently. */
export const LEASES_END_MS = 30_000;

/** Whether a process has worked without pauses and lost connections for so long that its leases are valid. */
export const isSound = (process: ServiceProcess, now: number): boolean =>
  !process.isDead && process.disturbedAt < now - LEASES_END_MS;

/** No job is executed by two processes, unless one of them may have lost its lease. */
export class LeaseModel {
  private readonly holders = new Map<string, Set<ServiceProcess>>();
  private broken: string | null = null;

  constructor(private readonly now: () => number) {}

  /** A process begins to execute a job, or has ended. */
  executes(process: ServiceProcess, { job }: JobExecution, begins: boolean): void {
    const holders = this.holders.get(job.id) ?? new Set();
    this.holders.set(job.id, holders);
    if (!begins) return void holders.delete(process);
    const other = [...holders].find((holder) => isSound(holder, this.now()));
    if (other !== undefined && isSound(process, this.now()))
      this.broken = `${process.name} executes job ${job.id}, which ${other.name} has not given back`;
    holders.add(process);
  }

  /** A process was killed. */
  ended(process: ServiceProcess): void {
    for (const holders of this.holders.values()) holders.delete(process);
  }

  check(): void {
    if (this.broken !== null) throw new Violation(this.broken);
  }
}
