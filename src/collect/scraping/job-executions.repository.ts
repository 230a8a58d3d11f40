import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Lease } from './job-execution.js';

/** The properties of an execution that decide about slots. */
export interface ClaimedJob {
  workspaceId: string;
  jobId: string;
  isSmall: boolean;
  /** Whether the lease has ended because its worker was killed or released the job. */
  hasExpired: boolean;
}

/** An execution as operators see it. */
export interface ExecutionLease {
  workspaceId: string;
  jobId: string;
  /** `host:process id:uuid` of the worker; null after it released the job. */
  owner: string | null;
  /** Number of claims since the job last stored a batch. */
  attempts: number;
  leaseAgeSeconds: number;
  hasExpired: boolean;
}

type NewLease = Omit<Lease, 'owner'>;

/** Leases of running jobs. Times are the database's. */
@Injectable()
export class JobExecutionsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Serializes callers in all processes until their transactions end, so that each sees the others' claims. */
  async lockClaims(tx: EntityManager): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('job claims', 0))`);
  }

  /** All executions of all workspaces, longest expired first. There are at most as many as all workers have slots. */
  list(tx: EntityManager): Promise<ClaimedJob[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", job_id AS "jobId", is_small AS "isSmall",
         lease_until <= clock_timestamp() AS "hasExpired"
       FROM job_executions ORDER BY lease_until`,
    );
  }

  /**
   * Up to `limit` executions of all workspaces, oldest lease first. The age of a lease, which lasts `leaseMs`
   * milliseconds, is the time since its last renewal, or since the worker released the job.
   */
  listLeases(leaseMs: number, limit: number): Promise<ExecutionLease[]> {
    return this.dataSource.query(
      `SELECT workspace_id AS "workspaceId", job_id AS "jobId", lease_owner AS owner, attempts,
         lease_until <= clock_timestamp() AS "hasExpired", extract(epoch FROM clock_timestamp() - lease_until
           + CASE WHEN lease_owner IS NULL THEN 0 ELSE $1 END * interval '1 millisecond')::float8 AS "leaseAgeSeconds"
       FROM job_executions ORDER BY lease_until LIMIT $2`,
      [leaseMs, limit],
    );
  }

  /** Whether the job has an execution, even one that its worker has released. */
  async exists(workspaceId: string, jobId: string, tx: EntityManager): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      'SELECT 1 FROM job_executions WHERE workspace_id = $1 AND job_id = $2',
      [workspaceId, jobId],
    );
    return rows.length > 0;
  }

  /** Creates the execution of a job and pins the workspace's newest phrase frequencies for it. */
  async create(
    workspaceId: string,
    jobId: string,
    { isSmall, owner, leaseMs }: { isSmall: boolean; owner: string; leaseMs: number },
    tx: EntityManager,
  ): Promise<NewLease> {
    const [newest] = await tx.query<[{ version: number }]>(
      'SELECT coalesce(max(version), 0) AS version FROM keyword_frequencies WHERE workspace_id = $1',
      [workspaceId],
    );
    const [lease] = await tx.query<[NewLease]>(
      `INSERT INTO job_executions
         (workspace_id, job_id, is_small, lease_owner, lease_until, attempts, keywords_version)
       VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond', 1, $6) RETURNING ${LEASE}`,
      [workspaceId, jobId, isSmall, owner, leaseMs, newest.version],
    );
    return lease;
  }

  /**
   * Takes over an execution whose lease has ended; null when the lease is still valid or the execution is gone. A worker
   * that has neither released the job nor stored a batch counts as dead.
   */
  async takeOver(
    workspaceId: string,
    jobId: string,
    { owner, leaseMs }: { owner: string; leaseMs: number },
    tx: EntityManager,
  ): Promise<NewLease | null> {
    const [leases] = await tx.query<[NewLease[], number]>(
      `UPDATE job_executions SET lease_owner = $3, lease_until = clock_timestamp() + $4 * interval '1 millisecond',
         attempts = attempts + 1, worker_deaths = CASE WHEN attempts = 0 THEN 0
           WHEN lease_owner IS NULL THEN worker_deaths ELSE worker_deaths + 1 END
       WHERE workspace_id = $1 AND job_id = $2 AND lease_until <= clock_timestamp() RETURNING ${LEASE}`,
      [workspaceId, jobId, owner, leaseMs],
    );
    return leases[0] ?? null;
  }

  /** Whether a worker is executing a job of the workspace. */
  async hasLive(workspaceId: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM job_executions
       WHERE workspace_id = $1 AND lease_owner IS NOT NULL AND lease_until > clock_timestamp() LIMIT 1`,
      [workspaceId],
    );
    return rows.length > 0;
  }

  /** Renews the lease. False when this owner has lost it. */
  async prolong(workspaceId: string, jobId: string, owner: string, leaseMs: number): Promise<boolean> {
    const [, held] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE job_executions SET lease_until = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE workspace_id = $1 AND job_id = $2 AND lease_owner = $3`,
      [workspaceId, jobId, owner, leaseMs],
    );
    return held === 1;
  }

  /** Releases the job, so that any worker can continue it at once. `countsAttempt` is false for a planned stop. */
  async release(workspaceId: string, jobId: string, owner: string, countsAttempt: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE job_executions SET lease_owner = NULL, lease_until = clock_timestamp(), attempts = greatest(0, attempts - $4)
       WHERE workspace_id = $1 AND job_id = $2 AND lease_owner = $3`,
      [workspaceId, jobId, owner, countsAttempt ? 0 : 1],
    );
  }

  /** Removes the execution of an ended job. False when this owner has lost the lease. */
  async remove(workspaceId: string, jobId: string, owner: string, tx: EntityManager): Promise<boolean> {
    const [, removed] = await tx.query<[unknown[], number]>(
      'DELETE FROM job_executions WHERE workspace_id = $1 AND job_id = $2 AND lease_owner = $3',
      [workspaceId, jobId, owner],
    );
    return removed === 1;
  }

  /** Removes all executions of the workspace, and so their leases: after the commit none of them can store anything. */
  async removeAll(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query('DELETE FROM job_executions WHERE workspace_id = $1', [workspaceId]);
  }
}

const LEASE = `attempts, worker_deaths AS "workerDeaths", checkpoint, keywords_version AS "keywordsVersion", clock_timestamp() AS "claimedAt"`;
