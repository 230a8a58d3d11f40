import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { ReleasedMatch, Scored } from '../matching/alert-matches.repository.js';
import { type Reading, relevanceAfterSql } from '../matching/second-reading.js';

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
/** A match that has waited for so long is sent without a second reading. */
const LONGEST_WAIT = "interval '2 minutes'";

/** An alert with matches that wait for a second reading. */
interface WaitingAlert {
  workspaceId: string;
  alertId: string;
}

/** A match that is read a second time. */
export interface ClaimedMatch {
  id: string;
  postId: string;
  /** Whether it has waited too long for that. */
  isLate: boolean;
}

/** A match that waits no longer. */
export interface ReadMatch extends ReleasedMatch, Scored {
  jobId: string;
  /** Whether it is a repost of another match. */
  isFolded: boolean;
}

/** Matches that wait for a second reading, what it says of them, and how many a workspace had. */
@Injectable()
export class ReadingsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Alerts with matches that wait, those that wait longest first. Crosses workspaces. */
  waiting(limit: number): Promise<WaitingAlert[]> {
    return this.dataSource.query(
      `SELECT workspace_id AS "workspaceId", alert_id AS "alertId" FROM alert_matches
       WHERE reading_due_at <= clock_timestamp() GROUP BY 1, 2 ORDER BY min(reading_due_at) LIMIT $1`,
      [limit],
    );
  }

  /** Claims matches of an alert until a time; after it another process may claim them. */
  async claim(workspaceId: string, alertId: string, limit: number, leaseMs: number): Promise<ClaimedMatch[]> {
    const [claimed] = await this.dataSource.query<[ClaimedMatch[], number]>(
      `UPDATE alert_matches SET reading_due_at = now() + $4 * interval '1 millisecond'
       WHERE workspace_id = $1 AND alert_id = $2 AND post_id IN (
         SELECT post_id FROM alert_matches
         WHERE workspace_id = $1 AND alert_id = $2 AND reading_due_at <= now()
         ORDER BY reading_due_at, post_id LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING id, post_id AS "postId", matched_at < now() - ${LONGEST_WAIT} AS "isLate"`,
      [workspaceId, alertId, limit, leaseMs],
    );
    return claimed;
  }

  /** Ends the wait of matches, with the answers of those that have one by id. The transaction has locked the alert. */
  async settle(
    workspaceId: string,
    alertId: string,
    readings: ReadonlyMap<string, Reading | null>,
    tx: EntityManager,
  ): Promise<ReadMatch[]> {
    const [settled] = await tx.query<[ReadMatch[], number]>(
      `UPDATE alert_matches SET reading_due_at = NULL, reading = answer.reading,
         relevance = ${relevanceAfterSql('relevance', 'answer.reading')}
       FROM unnest($3::uuid[], $4::jsonb[]) AS answer (id, reading)
       WHERE workspace_id = $1 AND alert_id = $2 AND alert_matches.id = answer.id AND reading_due_at IS NOT NULL
       RETURNING alert_id AS "alertId", post_id AS "postId", job_id AS "jobId", keywords, duplicates, relevance,
         folded_into IS NOT NULL AS "isFolded"`,
      [workspaceId, alertId, [...readings.keys()], [...readings.values()].map(jsonOf)],
    );
    return settled;
  }

  /** Counts a call of today; false, and not counted, when there are `limit` (0: any number) already. */
  async take(workspaceId: string, limit: number): Promise<boolean> {
    const taken = await this.dataSource.query<unknown[]>(
      `INSERT INTO reading_days AS kept (workspace_id, day, calls) VALUES ($1, ${TODAY}, 1)
       ON CONFLICT (workspace_id) DO UPDATE SET day = EXCLUDED.day,
         calls = 1 + CASE WHEN kept.day = EXCLUDED.day THEN kept.calls ELSE 0 END
       WHERE $2 = 0 OR kept.day <> EXCLUDED.day OR kept.calls < $2
       RETURNING calls`,
      [workspaceId, limit],
    );
    return taken.length > 0;
  }

  /** Number of calls of today. */
  async callsToday(workspaceId: string, tx: EntityManager = this.dataSource.manager): Promise<number> {
    const [row] = await tx.query<{ calls: number }[]>(
      `SELECT calls FROM reading_days WHERE workspace_id = $1 AND day = ${TODAY}`,
      [workspaceId],
    );
    return row?.calls ?? 0;
  }
}

const jsonOf = (reading: Reading | null): string | null =>
  reading === null ? null : JSON.stringify(reading);
