import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/** The version of a workspace that has no frequencies yet. */
export const NO_VERSION = 0;

/** Stores versions of workspaces' phrase frequencies. */
@Injectable()
export class KeywordFrequenciesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The serialized version; null when it no longer exists. */
  async read(workspaceId: string, version: number): Promise<Buffer | null> {
    const rows = await this.dataSource.query<{ state: Buffer }[]>(
      'SELECT state FROM keyword_frequencies WHERE workspace_id = $1 AND version = $2',
      [workspaceId, version],
    );
    return rows[0]?.state ?? null;
  }

  /** Appends the version that `next` derives from the newest one. Transactions of one workspace wait for each other. */
  async append(
    workspaceId: string,
    next: (newest: Buffer | null) => Buffer,
    tx: EntityManager,
  ): Promise<void> {
    await this.lock(workspaceId, tx);
    const [newest] = await tx.query<{ version: number; state: Buffer }[]>(
      'SELECT version, state FROM keyword_frequencies WHERE workspace_id = $1 ORDER BY version DESC LIMIT 1',
      [workspaceId],
    );
    await tx.query('INSERT INTO keyword_frequencies (workspace_id, version, state) VALUES ($1, $2, $3)', [
      workspaceId,
      (newest?.version ?? NO_VERSION) + 1,
      next(newest?.state ?? null),
    ]);
    await this.prune(workspaceId, tx);
  }

  /**
   * Replaces all versions with an empty one. It takes the next version number, because processes cache frequencies by
   * version. Does nothing when the workspace has no frequencies yet.
   */
  async reset(workspaceId: string, empty: Buffer, tx: EntityManager): Promise<void> {
    await this.lock(workspaceId, tx);
    await tx.query(
      `WITH removed AS (DELETE FROM keyword_frequencies WHERE workspace_id = $1 RETURNING version)
       INSERT INTO keyword_frequencies (workspace_id, version, state)
       SELECT $1, max(version) + 1, $2 FROM removed HAVING count(*) > 0`,
      [workspaceId, empty],
    );
  }

  private async lock(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`keywords:${workspaceId}`]);
  }

  /**
   * Removes versions that no execution reads, except those that a concurrent claim may still choose because they were
   * the newest a moment ago.
   */
  private async prune(workspaceId: string, tx: EntityManager): Promise<void> {
    const used = await tx.query<{ version: number }[]>(
      'SELECT DISTINCT keywords_version AS version FROM job_executions WHERE workspace_id = $1',
      [workspaceId],
    );
    await tx.query(
      `DELETE FROM keyword_frequencies WHERE workspace_id = $1 AND version <> ALL ($2::integer[])
         AND version < (SELECT max(version) FROM keyword_frequencies
           WHERE workspace_id = $1 AND created_at < now() - interval '10 minutes')`,
      [workspaceId, used.map(({ version }) => version)],
    );
  }
}
