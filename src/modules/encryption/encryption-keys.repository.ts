import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** A recorded key with which this process does not encrypt. */
export interface OtherKey {
  keyId: string;
  /** True when this process's key was recorded after it and more than an hour ago. */
  isReplaced: boolean;
}

/** The recorded ids of the keys with which secrets of this database are encrypted. */
@Injectable()
export class EncryptionKeysRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * All recorded keys except `keyId`. A key counts as replaced one hour after `keyId` was recorded, because until then a
   * process that was not yet restarted may encrypt with it; a key recorded after `keyId` is never replaced by it.
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

  /** Removes keys with which nothing is encrypted any more. */
  async remove(keyIds: readonly string[]): Promise<void> {
    await this.dataSource.query('DELETE FROM encryption_keys WHERE key_id = ANY($1)', [keyIds]);
  }
}
