import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** A worker without a sign of life for this long counts as gone: several heartbeats, so that a busy process is not missed. */
const ALIVE_FOR = '10 seconds';

const MAX_LISTED = 1_000;

/** A worker by its last heartbeat. */
export interface SeenWorker {
  /** `host:process id:uuid`. */
  id: string;
  seenSecondsAgo: number;
  isAlive: boolean;
}

/** Which processes execute jobs, from their heartbeats. Workers serve every workspace. */
@Injectable()
export class JobWorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Records that a worker is alive, and forgets workers that ended a day ago. */
  async beat(id: string): Promise<void> {
    await this.dataSource.query(
      `WITH forgotten AS (DELETE FROM job_workers WHERE seen_at < clock_timestamp() - interval '1 day')
       INSERT INTO job_workers (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [id],
    );
  }

  /** Removes a worker that stops. */
  async remove(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM job_workers WHERE id = $1', [id]);
  }

  /** The workers of the last day, by their last heartbeat. */
  list(): Promise<SeenWorker[]> {
    return this.dataSource.query(
      `SELECT id, extract(epoch FROM clock_timestamp() - seen_at)::float8 AS "seenSecondsAgo",
         seen_at > clock_timestamp() - interval '${ALIVE_FOR}' AS "isAlive"
       FROM job_workers ORDER BY seen_at DESC LIMIT ${MAX_LISTED}`,
    );
  }

  /** Whether any process executes jobs. */
  async isAnyAlive(): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ alive: boolean }]>(
      `SELECT EXISTS (SELECT 1 FROM job_workers WHERE seen_at > clock_timestamp() - interval '${ALIVE_FOR}') AS alive`,
    );
    return row.alive;
  }
}
