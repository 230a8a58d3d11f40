import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/**
 * A worker without a heartbeat for this long counts as gone. It spans several heartbeats, so that a busy process still
 * counts as alive.
 */
const ALIVE_FOR = '10 seconds';

const MAX_LISTED = 1_000;

/** A worker and its last heartbeat. */
export interface SeenWorker {
  /** `host:process id:uuid`. */
  id: string;
  seenSecondsAgo: number;
  isAlive: boolean;
}

/** Tracks which processes execute jobs by their heartbeats. Workers serve every workspace. */
@Injectable()
export class JobWorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Records a worker's heartbeat, and deletes workers that were last seen more than a day ago. */
  async beat(id: string): Promise<void> {
    await this.dataSource.query(
      `WITH forgotten AS (DELETE FROM job_workers WHERE seen_at < clock_timestamp() - interval '1 day')
       INSERT INTO job_workers (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [id],
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
         seen_at > clock_timestamp() - interval '${ALIVE_FOR}' AS "isAlive"
       FROM job_workers ORDER BY seen_at DESC LIMIT ${MAX_LISTED}`,
    );
  }

  /** Whether any process is executing jobs. */
  async isAnyAlive(): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ alive: boolean }]>(
      `SELECT EXISTS (SELECT 1 FROM job_workers WHERE seen_at > clock_timestamp() - interval '${ALIVE_FOR}') AS alive`,
    );
    return row.alive;
  }
}
