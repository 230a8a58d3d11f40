import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { EncryptionKey } from './encryption-key.entity.js';

/** A recorded key that this process does not encrypt with. */
export interface OtherKey {
  keyId: string;
  /** True if this process's key was recorded later than this one and more than an hour ago. */
  isReplaced: boolean;
}

/** The recorded ids of the keys that encrypt secrets in this database. */
@Injectable()
export class EncryptionKeysRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * All recorded keys except `keyId`. A key counts as replaced one hour after `keyId` was recorded, because until then
   * a process that has not been restarted yet may still encrypt with it. A key recorded after `keyId` never counts as
   * replaced.
   */
  findOthers(keyId: string): Promise<OtherKey[]> {
    return this.dataSource.query(
      `SELECT other.key_id AS "keyId", coalesce(
         other.first_used_at <= own.first_used_at AND own.first_used_at < now() - interval '1 hour', false) AS "isReplaced"
       FROM encryption_keys other LEFT JOIN encryption_keys own ON own.key_id = $1
       WHERE other.key_id <> $1 ORDER BY other.key_id`,
      [keyId],
    );
  }

  /** The ids of all recorded keys. */
  async ids(tx: EntityManager): Promise<string[]> {
    return (await tx.find(EncryptionKey)).map(({ keyId }) => keyId);
  }

  /** Blocks other transactions from recording keys until this one ends. */
  async lock(tx: EntityManager): Promise<void> {
    await tx.query('LOCK TABLE encryption_keys IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Records a key unless it is already recorded. */
  async insert(keyId: string, tx: EntityManager): Promise<void> {
    await tx.query('INSERT INTO encryption_keys (key_id) VALUES ($1) ON CONFLICT DO NOTHING', [keyId]);
  }

  /** Removes keys that no longer encrypt anything, or that are lost. */
  async remove(keyIds: readonly string[], tx: EntityManager = this.dataSource.manager): Promise<void> {
    await tx.query('DELETE FROM encryption_keys WHERE key_id = ANY($1)', [keyIds]);
  }
}
