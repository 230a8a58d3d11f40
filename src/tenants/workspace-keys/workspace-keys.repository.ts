import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { KeyPurpose, WorkspaceKey } from './workspace-key.entity.js';

/** An encrypted key and its owner. */
export type SealedKey = Pick<WorkspaceKey, 'workspaceId' | 'purpose' | 'sealedKey'>;

/** Reads and writes `workspace_keys`. */
@Injectable()
export class WorkspaceKeysRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The encrypted key; null when the workspace has none for the purpose. */
  async find(
    workspaceId: string,
    purpose: KeyPurpose,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<string | null> {
    const [row] = await tx.query<{ sealedKey: string }[]>(
      `SELECT sealed_key AS "sealedKey" FROM workspace_keys WHERE workspace_id = $1 AND purpose = $2`,
      [workspaceId, purpose],
    );
    return row?.sealedKey ?? null;
  }

  /** Stores a key unless the workspace has one for the purpose. */
  async insert(workspaceId: string, purpose: KeyPurpose, sealedKey: string): Promise<void> {
    await this.dataSource.query(
      `INSERT INTO workspace_keys (workspace_id, purpose, sealed_key) VALUES ($1, $2, $3)
       ON CONFLICT (workspace_id, purpose) DO NOTHING`,
      [workspaceId, purpose, sealedKey],
    );
  }

  /** Up to `limit` keys that do not begin with `prefix`, after a key in order. Crosses workspaces. */
  findSealedOtherwise(prefix: string, after: SealedKey | null, limit: number): Promise<SealedKey[]> {
    return this.dataSource.query(
      `SELECT workspace_id AS "workspaceId", purpose, sealed_key AS "sealedKey" FROM workspace_keys
       WHERE NOT starts_with(sealed_key, $1) AND ($2::uuid IS NULL OR (workspace_id, purpose) > ($2, $3))
       ORDER BY workspace_id, purpose LIMIT $4`,
      [prefix, after?.workspaceId ?? null, after?.purpose ?? null, limit],
    );
  }

  /** Replaces an encrypted key; has no effect when it no longer equals `former`. */
  async replaceSealed(workspaceId: string, former: SealedKey, next: SealedKey): Promise<void> {
    await this.dataSource.query(
      `UPDATE workspace_keys SET sealed_key = $4 WHERE workspace_id = $1 AND purpose = $2 AND sealed_key = $3`,
      [workspaceId, former.purpose, former.sealedKey, next.sealedKey],
    );
  }
}
