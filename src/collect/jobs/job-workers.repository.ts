import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ClaimFailure } from '../../infrastructure/readiness/claim-failures.js';
import { ALIVE_FOR } from './select-claims.js';

const MAX_LISTED = 1_000;

/** A worker and its last heartbeat. */
export interface SeenWorker {
  /** `host:process id:uuid`. */
  id: string;
  seenSecondsAgo: number;
  isAlive: boolean;
  /** Whether it fails to claim jobs. */
  isFailing: boolean;
}

/** Whether any worker claims jobs, all that are alive fail to, or none is alive. */
export type WorkersState = 'claiming' | 'failing' | 'none';

/** Tracks which processes execute jobs by their heartbeats. Workers serve every workspace. */
@Injectable()
export class JobWorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Records a worker's heartbeat and whether its claims fail, and deletes workers that were last seen more than a day
   * ago.
   */
  async beat(id: string, failure: ClaimFailure | null): Promise<void> {
    await this.dataSource.query(
      `WITH forgotten AS (DELETE FROM job_workers WHERE seen_at < clock_timestamp() - interval '1 day')
       INSERT INTO job_workers (id, seen_at, claims_failing_since, claim_failure)
       VALUES ($1, clock_timestamp(), clock_timestamp() - make_interval(secs => $2::float8), $3)
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at,
         claims_failing_since = excluded.claims_failing_since, claim_failure = excluded.claim_failure`,
      [id, failure?.seconds ?? null, failure?.reason ?? null],
    );
  }

  /** Removes a worker that is stopping. */
  async remove(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM job_workers WHERE id = $1', [id]);
  }

  /** The workers seen in the last day, ordered by their last heartbeat. */
  list(): Promise<SeenWorker[]> {
    return this.dataSource.query(
      `SELECT id, extract(epoch FROM clock_timestamp() - seen_at)::float8 AS "seenSecondsAgo",
         seen_at > clock_timestamp() - interval '${ALIVE_FOR}' AS "isAlive",
         claims_failing_since IS NOT NULL AS "isFailing"
       FROM job_workers ORDER BY seen_at DESC LIMIT ${MAX_LISTED}`,
    );
  }

  /** Load of the workers that are alive, summed. */
  async state(): Promise<WorkersState> {
    const [row] = await this.dataSource.query<[{ state: WorkersState }]>(
      `SELECT CASE WHEN bool_or(claims_failing_since IS NULL) THEN 'claiming'
         WHEN count(*) > 0 THEN 'failing' ELSE 'none' END AS state
       FROM job_workers WHERE seen_at > clock_timestamp() - interval '${ALIVE_FOR}'`,
    );
    return row.state;
  }
}
