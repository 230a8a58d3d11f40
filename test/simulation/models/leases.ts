import type pg from 'pg';
import type { ServiceProcess } from '../processes.js';
import { Violation } from '../violation.js';

/** Longer than any lease: what a process holds may have expired if it was disturbed so recently. */
export const LEASES_END_MS = 30_000;

/** Whether a process has worked without pauses and lost connections for so long that its leases are valid. */
export const isSound = (process: ServiceProcess, now: number): boolean =>
  !process.isDead && process.disturbedAt < now - LEASES_END_MS;

/** A job or erasure that is carried out, or a delivery that is sent, by an owner; leases of erasures name none. */
export interface Held {
  id: string;
  owner: string;
}

/** Moves the database's clock; until then, everything that a sound process works on was leased to it. */
export async function moveClock(control: pg.Client, now: number, held: readonly Held[]): Promise<void> {
  const { rows } = await control.query<{ id: string; lease: string }>({
    name: 'move clock',
    text: `WITH moved AS (UPDATE simulated.clock SET at = $1)
     SELECT held.id, coalesce(leased.owner, 'nobody') || ' until ' || coalesce(leased.until::text, 'now') AS lease
     FROM unnest($2::uuid[], $3::text[]) AS held (id, owner) CROSS JOIN LATERAL (
       SELECT lease_owner::text AS owner, leased_until AS until FROM deliveries
         WHERE deliveries.id = held.id AND status = 'pending'
       UNION ALL SELECT lease_owner, lease_until FROM jobs LEFT JOIN job_executions AS execution
         ON execution.workspace_id = jobs.workspace_id AND job_id = jobs.id WHERE jobs.id = held.id
       UNION ALL SELECT held.owner, lease_until FROM erasures
         WHERE erasures.id = held.id AND completed_at IS NULL) AS leased
     WHERE leased.owner IS DISTINCT FROM held.owner OR leased.until <= simulated.now() LIMIT 1`,
    values: [new Date(now), held.map(({ id }) => id), held.map(({ owner }) => owner)],
  });
  if (rows[0] !== undefined)
    throw new Violation(`${rows[0].id}, which a process works on, is leased to ${rows[0].lease}`);
}

/** No job or erasure is carried out by two processes, unless one of them may have lost its lease. */
export class LeaseModel {
  /** Processes by job or erasure, each with the owner of its lease. */
  private readonly holders = new Map<string, Map<ServiceProcess, string>>();
  private broken: string | null = null;

  constructor(private readonly now: () => number) {}

  /** A process begins with a job or erasure, or has ended. */
  works(process: ServiceProcess, { id, owner }: Held, begins: boolean): void {
    const holders = this.holders.get(id) ?? new Map<ServiceProcess, string>();
    this.holders.set(id, holders);
    if (!begins) return void holders.delete(process);
    const other = [...holders.keys()].find((holder) => isSound(holder, this.now()));
    if (other !== undefined && isSound(process, this.now()))
      this.broken = `${process.name} works on ${id}, which ${other.name} has not given back`;
    holders.set(process, owner);
  }

  /** A process was killed. */
  ended(process: ServiceProcess): void {
    for (const holders of this.holders.values()) holders.delete(process);
  }

  /** The jobs and erasures of sound processes. */
  held(): Held[] {
    return [...this.holders].flatMap(([id, holders]) =>
      [...holders].flatMap(([process, owner]) => (isSound(process, this.now()) ? { id, owner } : [])),
    );
  }

  check(): void {
    if (this.broken !== null) throw new Violation(this.broken);
  }
}
