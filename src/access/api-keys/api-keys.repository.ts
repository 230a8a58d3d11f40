import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Raw, type Repository } from 'typeorm';
import { selectedProperties, selectList } from '../../database/entity-columns.js';
import { queryPrepared } from '../../database/prepared-query.js';
import { ApiKey } from './api-key.entity.js';

/** A key by its beginning, which the audit log has, and its name. */
export type KeyName = Pick<ApiKey, 'workspaceId' | 'keyPrefix' | 'name'>;

/** Reads and writes the API keys of `api_keys`. */
@Injectable()
export class ApiKeysRepository {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  async insert(key: ApiKey, tx: EntityManager): Promise<void> {
    await tx.insert(ApiKey, key);
  }

  /** Keys that are neither revoked nor expired, and members. */
  countActive(workspaceId: string, tx: EntityManager = this.keys.manager): Promise<number> {
    const active = { workspaceId, isActive: true };
    return tx.countBy(ApiKey, [
      { ...active, expiresAt: IsNull() },
      { ...active, expiresAt: Raw((column) => `${column} > clock_timestamp()`) },
    ]);
  }

  /** Deletes a workspace's revoked and expired keys, except the `newestKept` most recently created. */
  async deleteEnded(workspaceId: string, newestKept: number, tx: EntityManager): Promise<void> {
    await tx.query(
      `DELETE FROM api_keys WHERE workspace_id = $1 AND id IN (
         SELECT id FROM api_keys WHERE workspace_id = $1 AND (NOT is_active OR expires_at <= clock_timestamp())
         ORDER BY created_at DESC, id DESC OFFSET $2)`,
      [workspaceId, newestKept],
    );
  }

  list(workspaceId: string): Promise<ApiKey[]> {
    return this.keys.find({
      where: { workspaceId, email: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
  }

  find(workspaceId: string, id: string): Promise<ApiKey | null> {
    return this.keys.findOneBy({ workspaceId, id, email: IsNull() });
  }

  /** The only query without a workspace: the hash identifies the key. */
  async findByHash(keyHash: Buffer): Promise<ApiKey | null> {
    const [key] = await queryPrepared<ApiKey>(this.keys.manager, FIND_BY_HASH, [keyHash]);
    return key ?? null;
  }

  /** When each workspace last used any of its keys; workspaces that never did are omitted. Crosses workspaces. */
  async lastUses(workspaceIds: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.keys.query<{ workspaceId: string; lastUsedAt: Date }[]>(
      `SELECT workspace_id AS "workspaceId", max(last_used_at) AS "lastUsedAt" FROM api_keys
       WHERE workspace_id = ANY($1) AND last_used_at IS NOT NULL GROUP BY workspace_id`,
      [workspaceIds],
    );
    return new Map(rows.map(({ workspaceId, lastUsedAt }) => [workspaceId, lastUsedAt]));
  }

  /** The names of the keys of workspaces with these beginnings. Crosses workspaces. */
  names(keys: readonly Pick<ApiKey, 'workspaceId' | 'keyPrefix'>[]): Promise<KeyName[]> {
    return this.keys.query<KeyName[]>(
      `SELECT workspace_id AS "workspaceId", key_prefix AS "keyPrefix", name FROM api_keys
       WHERE workspace_id = ANY($1) AND key_prefix = ANY($2) AND email IS NULL`,
      [keys.map(({ workspaceId }) => workspaceId), keys.map(({ keyPrefix }) => keyPrefix)],
    );
  }

  /** False when the workspace has no such key. */
  async revoke(workspaceId: string, id: string): Promise<boolean> {
    const result = await this.keys.update({ workspaceId, id, email: IsNull() }, { isActive: false });
    return result.affected === 1;
  }

  /**
   * Makes an active key expire after this many seconds, or at its own expiry if that is earlier; null when the
   * workspace has no such active key.
   */
  async expireAfter(
    workspaceId: string,
    id: string,
    seconds: number,
    tx: EntityManager,
  ): Promise<Pick<ApiKey, 'name' | 'scopes'> | null> {
    const [keys] = await tx.query<[Pick<ApiKey, 'name' | 'scopes'>[], number]>(
      `UPDATE api_keys SET expires_at = least(expires_at, clock_timestamp() + $3 * interval '1 second')
       WHERE workspace_id = $1 AND id = $2 AND email IS NULL AND is_active AND (expires_at IS NULL OR expires_at > clock_timestamp())
       RETURNING name, scopes`,
      [workspaceId, id, seconds],
    );
    return keys[0] ?? null;
  }

  /** Sets the last-used time unless a use at or after `unlessSince` is already recorded. */
  async touch(workspaceId: string, id: string, now: Date, unlessSince: Date): Promise<void> {
    await this.keys
      .createQueryBuilder()
      .update()
      .set({ lastUsedAt: now })
      .where('workspaceId = :workspaceId AND id = :id', { workspaceId, id })
      .andWhere('(lastUsedAt IS NULL OR lastUsedAt < :unlessSince)', { unlessSince })
      .execute();
  }
}

/** Executed on every request. */
const FIND_BY_HASH = {
  name: 'find_api_key_by_hash',
  text: `SELECT ${selectList(selectedProperties(ApiKey))} FROM api_keys WHERE key_hash = $1`,
};
