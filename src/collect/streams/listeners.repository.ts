import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { Unread } from '../../tenants/ports/report-inputs.js';
import type { Listener } from '../../tenants/ports/listeners.js';
import type { Heard } from './heard-texts.repository.js';

const TODAY = "(now() AT TIME ZONE 'UTC')::date";

/** How a source is read for a listener. */
export interface ListenedSource {
  source: string;
  /** Null while the reader has not taken notice of the listener. */
  since: Date | null;
  read: number;
  matched: number;
  newestAt: Date | null;
  isReading: boolean;
  refusal: string | null;
}

/** Who listens to which source, and how many texts matched. */
@Injectable()
export class ListenersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Makes these the listeners: new ones begin now, others end. Counts of those that stay are kept. */
  async set(listeners: readonly Pick<Listener, 'workspaceId' | 'id' | 'listen'>[]): Promise<void> {
    const pairs = listeners.flatMap(({ workspaceId, id, listen }) =>
      listen.map((source) => ({ workspaceId, id, source })),
    );
    const given = `json_to_recordset($1) AS given ("workspaceId" uuid, id uuid, source text)`;
    await this.dataSource.transaction(async (tx) => {
      await tx.query(
        `DELETE FROM listeners WHERE NOT EXISTS (SELECT FROM ${given} WHERE given."workspaceId" = workspace_id
           AND given.id = listeners.id AND given.source = listeners.source)`,
        [JSON.stringify(pairs)],
      );
      await tx.query(
        `INSERT INTO listeners (workspace_id, id, source, read_before)
         SELECT given."workspaceId", given.id, given.source,
           coalesce((SELECT read FROM stream_cursors WHERE stream_cursors.source = given.source), 0)
         FROM ${given} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
        [JSON.stringify(pairs)],
      );
    });
  }

  /**
   * Counts texts that were heard for the first time for their listeners, and by workspace. Returns by workspace how many were
   * heard today within the quota, these included.
   */
  async count(source: string, heard: readonly Heard[], tx: EntityManager): Promise<Map<string, number>> {
    const matches = heard.flatMap(({ workspaceId, listenerIds }) =>
      listenerIds.map((id) => ({ workspaceId, id })),
    );
    await tx.query(
      `UPDATE listeners SET matched = matched + new.count
       FROM (SELECT "workspaceId", id, count(*) AS count
         FROM json_to_recordset($2) AS match ("workspaceId" uuid, id uuid) GROUP BY 1, 2) AS new
       WHERE source = $1 AND workspace_id = new."workspaceId" AND listeners.id = new.id`,
      [source, JSON.stringify(matches)],
    );
    const rows = await tx.query<{ workspaceId: string; stored: number }[]>(
      `INSERT INTO listened_days AS kept (workspace_id, day, stored)
       SELECT id, ${TODAY}, count(*) FROM unnest($1::uuid[]) AS id GROUP BY id ORDER BY id
       ON CONFLICT (workspace_id) DO UPDATE SET day = EXCLUDED.day,
         stored = EXCLUDED.stored + CASE WHEN kept.day = EXCLUDED.day THEN kept.stored ELSE 0 END,
         unstored = CASE WHEN kept.day = EXCLUDED.day THEN kept.unstored ELSE 0 END
       RETURNING workspace_id AS "workspaceId", stored`,
      [heard.map(({ workspaceId }) => workspaceId)],
    );
    return new Map(rows.map(({ workspaceId, stored }) => [workspaceId, stored]));
  }

  /** Moves today's latest `count` texts of a workspace to those beyond the quota. */
  async countUnstored(workspaceId: string, count: number, tx: EntityManager): Promise<void> {
    await tx.query(
      'UPDATE listened_days SET stored = stored - $2, unstored = unstored + $2 WHERE workspace_id = $1',
      [workspaceId, count],
    );
  }

  /** Number of texts of a workspace that matched today within the quota. */
  async storedToday(workspaceId: string, tx: EntityManager = this.dataSource.manager): Promise<number> {
    const [row] = await tx.query<{ stored: number }[]>(
      `SELECT stored FROM listened_days WHERE workspace_id = $1 AND day = ${TODAY}`,
      [workspaceId],
    );
    return row?.stored ?? 0;
  }

  /** How the sources are read for a listener, in the order of `sources`. */
  async sources(workspaceId: string, id: string, sources: readonly string[]): Promise<ListenedSource[]> {
    return this.dataSource.query(
      `SELECT given.source, since, coalesce(matched, 0)::int AS matched, refusal,
         coalesce(read - read_before, 0)::int AS read, newest_at AS "newestAt",
         coalesce(lease_until > clock_timestamp(), false) AS "isReading"
       FROM unnest($3::text[]) WITH ORDINALITY AS given (source, place)
       LEFT JOIN stream_cursors ON stream_cursors.source = given.source
       LEFT JOIN listeners ON listeners.workspace_id = $1 AND listeners.id = $2 AND listeners.source = given.source
       ORDER BY place`,
      [workspaceId, id, sources],
    );
  }

  /** Sources that a workspace listens to and that were not read for a time between two times; at most 100. */
  async unreadSources(workspaceId: string, from: Date, to: Date): Promise<Unread[]> {
    return this.dataSource.query(
      `SELECT DISTINCT ON (source) source, reason FROM stream_gaps
       WHERE from_at < $3 AND to_at > $2 AND source IN (SELECT source FROM listeners WHERE workspace_id = $1)
       ORDER BY source, from_at DESC LIMIT 100`,
      [workspaceId, from, to],
    );
  }

  /** What was not read of a source since a time, the newest first; at most 100. */
  async gaps(source: string, since: Date): Promise<{ from: Date; to: Date; reason: string }[]> {
    return this.dataSource.query(
      `SELECT greatest(from_at, $2) AS "from", to_at AS "to", reason FROM stream_gaps
       WHERE source = $1 AND to_at > $2 ORDER BY from_at DESC LIMIT 100`,
      [source, since],
    );
  }
}
