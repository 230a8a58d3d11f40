import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { selectedProperties, selectList } from '../../database/entity-columns.js';
import { ApiKey } from './api-key.entity.js';
import { Session } from './session.entity.js';

const KEY_COLUMNS = selectList(selectedProperties(ApiKey), 'key');

/** Reads and writes `sessions`. */
@Injectable()
export class SessionsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(session: Session): Promise<void> {
    await this.dataSource.manager.insert(Session, session);
  }

  /** The API key of a session that has not expired. Takes no workspace: the hash identifies the session. */
  async findKey(tokenHash: Buffer, now: Date): Promise<ApiKey | null> {
    const [key] = await this.dataSource.query<ApiKey[]>(
      `SELECT ${KEY_COLUMNS} FROM sessions AS session
       JOIN api_keys AS key ON key.workspace_id = session.workspace_id AND key.id = session.api_key_id
       WHERE session.token_hash = $1 AND session.expires_at > $2`,
      [tokenHash, now],
    );
    return key ?? null;
  }

  /** Deletes a session; exactly one of several concurrent calls returns true. */
  async delete(workspaceId: string, tokenHash: Buffer): Promise<boolean> {
    const { affected } = await this.dataSource.manager.delete(Session, { workspaceId, tokenHash });
    return affected === 1;
  }

  /** Deletes up to `limit` expired sessions; returns their number. Crosses workspaces. */
  async deleteExpired(now: Date, limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM sessions WHERE (workspace_id, token_hash) IN (
         SELECT workspace_id, token_hash FROM sessions WHERE expires_at <= $1
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [now, limit],
    );
    return deleted;
  }
}
