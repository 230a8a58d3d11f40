import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { StoryRecord } from './story-record.entity.js';

const KEPT = `interval '90 days'`;

/** A record and its story. */
export type StoredRecord = Pick<StoryRecord, 'recordId' | 'storyId'>;

/** Which records are in which stories. */
@Injectable()
export class StoryRecordsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Waits for others that assign stories in the scope. */
  async lock(workspaceId: string, scope: string, tx: EntityManager): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 210))', [`${workspaceId} ${scope}`]);
  }

  /** The stories of those records that have one in the scope. */
  findScope(
    workspaceId: string,
    scope: string,
    recordIds: readonly string[],
    tx: EntityManager,
  ): Promise<StoredRecord[]> {
    return tx.query(
      `SELECT record_id AS "recordId", story_id AS "storyId" FROM story_records
       WHERE workspace_id = $1 AND scope = $2 AND record_id = ANY ($3)`,
      [workspaceId, scope, recordIds],
    );
  }

  /** Puts records into stories, and takes others out of theirs. */
  async change(
    workspaceId: string,
    scope: string,
    { put, taken }: { put: readonly StoredRecord[]; taken: readonly string[] },
    tx: EntityManager,
  ): Promise<void> {
    if (taken.length > 0)
      await tx.query(
        'DELETE FROM story_records WHERE workspace_id = $1 AND scope = $2 AND record_id = ANY ($3)',
        [workspaceId, scope, taken],
      );
    if (put.length > 0)
      await tx.query(
        `INSERT INTO story_records (workspace_id, scope, record_id, story_id)
         SELECT $1, $2, one."recordId", one."storyId"
         FROM json_to_recordset($3) AS one ("recordId" text, "storyId" uuid) ORDER BY 3
         ON CONFLICT (workspace_id, scope, record_id)
         DO UPDATE SET story_id = EXCLUDED.story_id, stored_at = EXCLUDED.stored_at`,
        [workspaceId, scope, JSON.stringify(put)],
      );
  }

  /** Ids of a story's records after one, in their order. */
  async ofStory(workspaceId: string, storyId: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ recordId: string }[]>(
      `SELECT record_id AS "recordId" FROM story_records
       WHERE workspace_id = $1 AND story_id = $2 AND record_id COLLATE "C" > $3
       ORDER BY record_id COLLATE "C" LIMIT $4`,
      [workspaceId, storyId, after, limit],
    );
    return rows.map(({ recordId }) => recordId);
  }

  async deleteOf(workspaceId: string, recordIds: readonly string[], tx: EntityManager): Promise<void> {
    await tx.query('DELETE FROM story_records WHERE workspace_id = $1 AND record_id = ANY ($2)', [
      workspaceId,
      recordIds,
    ]);
  }

  /** Deletes up to `limit` records of stories that are no longer kept; returns how many. Crosses workspaces. */
  async deleteExpired(limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM story_records WHERE (workspace_id, scope, record_id) IN (
         SELECT workspace_id, scope, record_id FROM story_records
         WHERE stored_at < now() - ${KEPT} LIMIT $1)`,
      [limit],
    );
    return deleted;
  }
}
