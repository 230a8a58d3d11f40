import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

/** An idempotency key and its owner; the same text sent with another API key is a different key. */
export interface KeyOwner {
  workspaceId: string;
  apiKeyId: string;
  key: string;
}

/** A key that a request holds under a lease, which another request gets after the lease has ended. */
export interface HeldKey extends KeyOwner {
  /** Identifies the lease. */
  lease: string;
}

/** The first request with an idempotency key. */
export interface StoredRequest {
  fingerprint: Buffer;
  /** Null while the request is being processed. */
  status: number | null;
  /** Null as well when the response was too large to keep. */
  sealed_body: string | null;
}

/** How many responses are stored for a workspace, and their size when encrypted. */
export interface StoredResponses {
  keys: number;
  bytes: number;
}

/** Reads and writes `idempotency_keys`, and reads what triggers count of it in `idempotency_usage`. */
@Injectable()
export class IdempotencyRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Records the start of a request. Returns its lease, or null when the key is taken: by a response younger than `keptMs`, or by a
   * request that started less than `leaseMs` ago and has not finished. Null as well for a new key when the stored
   * responses have reached a limit.
   */
  async begin(
    workspaceId: string,
    { apiKeyId, key }: KeyOwner,
    fingerprint: Buffer,
    { keptMs, leaseMs }: { keptMs: number; leaseMs: number },
    limits: StoredResponses,
  ): Promise<string | null> {
    const [row] = await this.dataSource.query<{ lease: string }[]>(
      `INSERT INTO idempotency_keys AS stored
         (workspace_id, api_key_id, key, fingerprint, lease_until, created_at)
       SELECT $1, $2, $3, $4, clock_timestamp() + $6 * interval '1 millisecond', clock_timestamp()
       WHERE EXISTS (SELECT FROM idempotency_keys WHERE workspace_id = $1 AND api_key_id = $2 AND key = $3)
          OR NOT EXISTS (SELECT FROM idempotency_usage WHERE workspace_id = $1 AND (keys >= $7::float8 OR bytes >= $8::float8))
       ON CONFLICT (workspace_id, api_key_id, key) DO UPDATE
         SET fingerprint = excluded.fingerprint, status = NULL, sealed_body = NULL,
             lease_until = excluded.lease_until, created_at = excluded.created_at
         WHERE stored.created_at < clock_timestamp() - $5 * interval '1 millisecond'
            OR (stored.status IS NULL AND stored.lease_until < clock_timestamp())
       RETURNING lease_until::text AS lease`,
      [workspaceId, apiKeyId, key, fingerprint, keptMs, leaseMs, limits.keys, limits.bytes],
    );
    return row?.lease ?? null;
  }

  find(workspaceId: string, { apiKeyId, key }: KeyOwner): Promise<StoredRequest | null> {
    return this.dataSource
      .query<StoredRequest[]>(
        `SELECT fingerprint, status, sealed_body FROM idempotency_keys
         WHERE workspace_id = $1 AND api_key_id = $2 AND key = $3`,
        [workspaceId, apiKeyId, key],
      )
      .then(([row]) => row ?? null);
  }

  /** Number and size of a workspace's stored answers. */
  async usage(workspaceId: string): Promise<StoredResponses> {
    const [usage] = await this.dataSource.query<StoredResponses[]>(
      'SELECT keys, bytes::float8 AS bytes FROM idempotency_usage WHERE workspace_id = $1',
      [workspaceId],
    );
    return usage ?? { keys: 0, bytes: 0 };
  }

  /** Stores the response of a request that still holds its lease; null for one that is not kept. */
  async complete(
    workspaceId: string,
    { apiKeyId, key, lease }: HeldKey,
    status: number,
    sealedBody: string | null,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await tx.query(
      `UPDATE idempotency_keys SET status = $4, sealed_body = $5
       WHERE workspace_id = $1 AND api_key_id = $2 AND key = $3 AND lease_until = $6`,
      [workspaceId, apiKeyId, key, status, sealedBody, lease],
    );
  }

  /** True if any stored response does not begin with `prefix`. Crosses workspaces. */
  async hasSealedOtherwise(prefix: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM idempotency_keys WHERE NOT starts_with(sealed_body, $1) LIMIT 1',
      [prefix],
    );
    return rows.length > 0;
  }

  /** Stored responses of a workspace after a key in order, at most `limit`. */
  listResponses(
    workspaceId: string,
    after: KeyOwner | null,
    limit: number,
  ): Promise<(KeyOwner & { sealedBody: string })[]> {
    return this.dataSource.query(
      `SELECT $1::uuid AS "workspaceId", api_key_id AS "apiKeyId", key, sealed_body AS "sealedBody"
       FROM idempotency_keys WHERE workspace_id = $1 AND sealed_body IS NOT NULL
         AND ($2::uuid IS NULL OR (api_key_id, key) > ($2, $3))
       ORDER BY api_key_id, key LIMIT $4`,
      [workspaceId, after?.apiKeyId ?? null, after?.key ?? null, limit],
    );
  }

  /** Deletes the key of a request with its response. */
  async delete(workspaceId: string, { apiKeyId, key }: KeyOwner): Promise<void> {
    await this.dataSource.query(
      'DELETE FROM idempotency_keys WHERE workspace_id = $1 AND api_key_id = $2 AND key = $3',
      [workspaceId, apiKeyId, key],
    );
  }

  /** Releases the key of a request that failed and still holds its lease. */
  async release(
    workspaceId: string,
    { apiKeyId, key, lease }: HeldKey,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await tx.query(
      `DELETE FROM idempotency_keys
       WHERE workspace_id = $1 AND api_key_id = $2 AND key = $3 AND status IS NULL AND lease_until = $4`,
      [workspaceId, apiKeyId, key, lease],
    );
  }

  /** Deletes up to `limit` rows older than `keptMs`, oldest first; returns how many. Crosses workspaces. */
  deleteExpired(keptMs: number, limit: number): Promise<number> {
    return this.deleteOldest('true', [keptMs, limit]);
  }

  /** As {@link deleteExpired}, for one workspace. */
  deleteExpiredOf(workspaceId: string, keptMs: number, limit: number): Promise<number> {
    return this.deleteOldest('workspace_id = $3', [keptMs, limit, workspaceId]);
  }

  private async deleteOldest(condition: string, parameters: unknown[]): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM idempotency_keys WHERE (workspace_id, api_key_id, key) IN (
         SELECT workspace_id, api_key_id, key FROM idempotency_keys
         WHERE ${condition} AND created_at < clock_timestamp() - $1 * interval '1 millisecond'
         ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      parameters,
    );
    return deleted;
  }
}
