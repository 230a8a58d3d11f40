import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Erasure, type ErasurePhase, type Removed } from './erasure.entity.js';

/** Reads and writes `erasures`. */
@Injectable()
export class ErasuresRepository {
  constructor(@InjectRepository(Erasure) private readonly erasures: Repository<Erasure>) {}

  async insert(
    workspaceId: string,
    erasure: Omit<Erasure, 'workspaceId' | 'createdAt'>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.insert(Erasure, { ...erasure, workspaceId });
  }

  find(workspaceId: string, id: string): Promise<Erasure | null> {
    return this.erasures.findOneBy({ workspaceId, id });
  }

  /** Newest first, with the total number. */
  list(workspaceId: string, page: { limit: number; offset: number }): Promise<[Erasure[], number]> {
    return this.erasures.findAndCount({
      where: { workspaceId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }

  /** Number of erasures that are not complete. */
  async countUnfinished(workspaceId: string): Promise<number> {
    const [row] = await this.erasures.query<[{ count: number }]>(
      'SELECT count(*)::int AS count FROM erasures WHERE workspace_id = $1 AND completed_at IS NULL',
      [workspaceId],
    );
    return row.count;
  }

  /**
   * The oldest unfinished erasures without a lease, at most `limit`; of a restored list only the first of a workspace,
   * which examines the rows for all. Crosses workspaces.
   */
  findUnfinished(limit: number): Promise<Pick<Erasure, 'workspaceId' | 'id'>[]> {
    return this.erasures.query(
      `SELECT workspace_id AS "workspaceId", id FROM erasures AS erasure
       WHERE completed_at IS NULL AND (lease_until IS NULL OR lease_until < clock_timestamp())
         AND (sealed_subject IS NOT NULL OR NOT EXISTS (
           SELECT FROM erasures AS earlier WHERE earlier.workspace_id = erasure.workspace_id
             AND earlier.sealed_subject IS NULL AND earlier.completed_at IS NULL
             AND (earlier.created_at, earlier.id) < (erasure.created_at, erasure.id)))
       ORDER BY created_at LIMIT $1`,
      [limit],
    );
  }

  /** Takes the lease of an unfinished erasure; null when another process has it. */
  async claim(workspaceId: string, id: string, leaseMs: number): Promise<Erasure | null> {
    const [[lease]] = await this.erasures.query<[{ leaseUntil: Date }[], number]>(
      `UPDATE erasures SET
         lease_until = date_trunc('milliseconds', clock_timestamp()) + $3 * interval '1 millisecond'
       WHERE workspace_id = $1 AND id = $2 AND completed_at IS NULL
         AND (lease_until IS NULL OR lease_until < clock_timestamp())
       RETURNING lease_until AS "leaseUntil"`,
      [workspaceId, id, leaseMs],
    );
    const erasure = lease === undefined ? null : await this.find(workspaceId, id);
    return erasure && { ...erasure, ...lease };
  }

  /** Ends the lease, unless it has passed to another process. */
  async release({ workspaceId, id, leaseUntil }: Erasure): Promise<void> {
    await this.erasures.update({ workspaceId, id, leaseUntil: leaseUntil! }, { leaseUntil: null });
  }

  /** Sets the phase and the last examined row. */
  async advance(
    workspaceId: string,
    id: string,
    phase: ErasurePhase,
    scannedTo: string | null = null,
  ): Promise<void> {
    await this.erasures.update({ workspaceId, id }, { phase, scannedTo });
  }

  /** Adds to the counts. */
  async count(
    workspaceId: string,
    id: string,
    removed: Partial<Removed>,
    tx: EntityManager = this.erasures.manager,
  ): Promise<void> {
    await tx.query(
      `UPDATE erasures SET removed = removed || (
         SELECT coalesce(jsonb_object_agg(key, value::bigint + coalesce((removed->>key)::bigint, 0)), '{}')
         FROM jsonb_each_text($3))
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, id, JSON.stringify(removed)],
    );
  }

  /** Records hashes of records that are being erased. */
  async addHashes(workspaceId: string, id: string, hashes: readonly Buffer[]): Promise<void> {
    await this.erasures.query(
      `INSERT INTO erased_hashes (workspace_id, erasure_id, hash)
       SELECT $1, $2, hash FROM unnest($3::bytea[]) AS erased (hash) ON CONFLICT DO NOTHING`,
      [workspaceId, id, hashes],
    );
  }

  /** Those of the hashes that {@link addHashes} recorded, in hex. */
  async hashesAmong(workspaceId: string, id: string, hashes: readonly Buffer[]): Promise<Set<string>> {
    const rows = await this.erasures.query<{ hash: Buffer }[]>(
      'SELECT hash FROM erased_hashes WHERE workspace_id = $1 AND erasure_id = $2 AND hash = ANY ($3::bytea[])',
      [workspaceId, id, hashes],
    );
    return new Set(rows.map(({ hash }) => hash.toString('hex')));
  }

  /** Hashes of the unfinished erasures of a restored list. */
  async restoredHashes(workspaceId: string): Promise<Buffer[]> {
    const rows = await this.erasures.query<{ hash: Buffer }[]>(
      `SELECT subject_hash AS hash FROM erasures
       WHERE workspace_id = $1 AND sealed_subject IS NULL AND completed_at IS NULL`,
      [workspaceId],
    );
    return rows.map(({ hash }) => hash);
  }

  /** Completes an erasure and forgets its subject; one of a restored list completes all of the list. */
  async complete(
    workspaceId: string,
    { id, sealedSubject }: Pick<Erasure, 'id' | 'sealedSubject'>,
  ): Promise<void> {
    await this.erasures.query('DELETE FROM erased_hashes WHERE workspace_id = $1 AND erasure_id = $2', [
      workspaceId,
      id,
    ]);
    await this.erasures.query(
      `UPDATE erasures SET completed_at = clock_timestamp(), sealed_subject = NULL, lease_until = NULL
       WHERE workspace_id = $1 AND (id = $2 OR ($3 AND sealed_subject IS NULL AND completed_at IS NULL))`,
      [workspaceId, id, sealedSubject === null],
    );
  }
}
