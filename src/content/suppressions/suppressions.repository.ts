import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Suppression } from './suppression.entity.js';

/** Hash of a post or comment, and the suppressed hash because of which it is refused. */
export interface RefusedHash {
  hash: Buffer;
  by: Buffer;
}

/** Reads and writes `suppressions` and `suppressed_hashes`. */
@Injectable()
export class SuppressionsRepository {
  constructor(@InjectRepository(Suppression) private readonly suppressions: Repository<Suppression>) {}

  /** Newest first, with the total number. */
  list(workspaceId: string, page: { limit: number; offset: number }): Promise<[Suppression[], number]> {
    return this.suppressions.findAndCount({
      where: { workspaceId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }

  /** Deletes a suppression with its hashes; false when the workspace has no such suppression. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    return (await this.suppressions.delete({ workspaceId, id })).affected === 1;
  }

  /** Adds a suppression, or finds the one with the same hash; returns its id. */
  async insert(
    workspaceId: string,
    { id, kind, hash }: Pick<Suppression, 'id' | 'kind' | 'hash'>,
    tx: EntityManager,
  ): Promise<string> {
    const [row] = await tx.query<[{ id: string }]>(
      `INSERT INTO suppressions (workspace_id, id, kind, hash) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace_id, hash) DO UPDATE SET hash = excluded.hash RETURNING id`,
      [workspaceId, id, kind, hash],
    );
    return row.id;
  }

  /** Adds hashes to a suppression; does nothing when it was deleted. */
  async addHashes(
    workspaceId: string,
    suppressionId: string,
    hashes: readonly Buffer[],
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO suppressed_hashes (workspace_id, hash, suppression_id)
       SELECT workspace_id, unnest($3::bytea[]), id FROM suppressions WHERE workspace_id = $1 AND id = $2
       ON CONFLICT DO NOTHING`,
      [workspaceId, suppressionId, hashes],
    );
  }

  /** Adds hashes to the suppressions that refuse them, unless these are deleted. */
  async addRefused(workspaceId: string, refused: readonly RefusedHash[], tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO suppressed_hashes (workspace_id, hash, suppression_id)
       SELECT $1, refused.hash, suppressions.id FROM unnest($2::bytea[], $3::bytea[]) AS refused (hash, by)
       JOIN suppressed_hashes AS suppressed ON suppressed.workspace_id = $1 AND suppressed.hash = refused.by
       JOIN suppressions ON suppressions.workspace_id = $1 AND suppressions.id = suppressed.suppression_id
       ORDER BY refused.hash FOR KEY SHARE OF suppressions
       ON CONFLICT DO NOTHING`,
      [workspaceId, refused.map(({ hash }) => hash), refused.map(({ by }) => by)],
    );
  }

  /**
   * Until the end of its transaction, a writer of posts and comments keeps suppressions from being added: content that it did
   * not find suppressed is stored before the erasure deletes.
   */
  async lockForWrite(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK})`, [workspaceId]);
  }

  /** Waits for the writers that may not have seen the hashes stored before this transaction. */
  async lockOutWriters(workspaceId: string, tx: EntityManager): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [workspaceId]);
  }

  /** Whether the workspace suppresses anything. */
  async hasAny(workspaceId: string, tx: EntityManager): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      'SELECT 1 FROM suppressed_hashes WHERE workspace_id = $1 LIMIT 1',
      [workspaceId],
    );
    return rows.length > 0;
  }

  /** Those of the hashes that are suppressed, in hex. */
  async find(workspaceId: string, hashes: readonly Buffer[], tx: EntityManager): Promise<Set<string>> {
    const rows = await tx.query<{ hash: Buffer }[]>(
      'SELECT hash FROM suppressed_hashes WHERE workspace_id = $1 AND hash = ANY ($2::bytea[])',
      [workspaceId, hashes],
    );
    return new Set(rows.map(({ hash }) => hash.toString('hex')));
  }
}

/** The key of the advisory lock of a workspace's suppressions. */
const LOCK = `hashtextextended('suppressions ' || $1, 0)`;
