import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { selectedProperties, selectList } from '../../database/entity-columns.js';
import type { AssistantGrant } from './assistant-grant.js';
import { ApiKey } from './api-key.entity.js';
import { Session } from './session.entity.js';

const KEY_COLUMNS = selectList(selectedProperties(ApiKey), 'key');

/** The key of a token, and its session or link. */
export interface FoundSession {
  key: ApiKey;
  session: Pick<
    Session,
    'id' | 'workspaceId' | 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'sessionEndsAt' | 'assistant'
  >;
}

/** A session as listed, with the first characters of its key. */
export interface ListedSession extends Pick<
  Session,
  'id' | 'apiKeyId' | 'address' | 'userAgent' | 'createdAt' | 'lastUsedAt' | 'expiresAt'
> {
  keyPrefix: string;
}

/** Reads and writes `sessions`. */
@Injectable()
export class SessionsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Stores a session or link, and deletes those of the same key and kind beyond the `kept` newest. */
  async insert(session: Session, kept: number): Promise<void> {
    await this.dataSource.manager.insert(Session, session);
    await this.dataSource.query(
      `DELETE FROM sessions WHERE workspace_id = $1 AND token_hash IN (
         SELECT token_hash FROM sessions WHERE workspace_id = $1 AND api_key_id = $2 AND kind = $3
         ORDER BY created_at DESC, token_hash OFFSET $4)`,
      [session.workspaceId, session.apiKeyId, session.kind, kept],
    );
  }

  /**
   * A session of a kind that has not expired and was used after `idleSince`. Takes no workspace: the hash identifies the
   * session. A token of another kind is none, even if its sender knows how it is hashed.
   */
  async find(
    kind: Session['kind'],
    tokenHash: Buffer,
    now: Date,
    idleSince: Date,
  ): Promise<FoundSession | null> {
    const [row] = await this.dataSource.query<
      (ApiKey & {
        sessionId: string;
        sessionCreatedAt: Date;
        sessionExpiresAt: Date;
        sessionLastUsedAt: Date;
        sessionEndsAt: Date | null;
        assistant: Session['assistant'];
      })[]
    >(
      `SELECT ${KEY_COLUMNS}, session.id AS "sessionId", session.expires_at AS "sessionExpiresAt",
         session.created_at AS "sessionCreatedAt", session.last_used_at AS "sessionLastUsedAt",
         session.session_ends_at AS "sessionEndsAt", session.assistant
       FROM sessions AS session
       JOIN api_keys AS key ON key.workspace_id = session.workspace_id AND key.id = session.api_key_id
       WHERE session.token_hash = $1 AND session.expires_at > $2 AND session.last_used_at > $3
         AND session.kind = $4`,
      [tokenHash, now, idleSince, kind],
    );
    if (row === undefined) return null;
    const { sessionId: id, sessionExpiresAt: expiresAt, sessionLastUsedAt: lastUsedAt, ...rest } = row;
    const { sessionCreatedAt: createdAt, sessionEndsAt, assistant, ...key } = rest;
    const { workspaceId } = key;
    return { key, session: { id, workspaceId, createdAt, expiresAt, lastUsedAt, sessionEndsAt, assistant } };
  }

  /**
   * Replaces the grant of an assistant and the end of its session, unless the `former` one has been replaced already;
   * of several concurrent calls exactly one returns true.
   */
  async replaceGrant(
    workspaceId: string,
    tokenHash: Buffer,
    former: AssistantGrant,
    { grant, expiresAt, now }: { grant: AssistantGrant; expiresAt: Date; now: Date },
  ): Promise<boolean> {
    const [, replaced] = await this.dataSource.query<[unknown[], number]>(
      `UPDATE sessions SET assistant = $4, expires_at = $5, last_used_at = $6
       WHERE workspace_id = $1 AND token_hash = $2 AND assistant->>'next' = $3`,
      [workspaceId, tokenHash, former.next, grant, expiresAt, now],
    );
    return replaced === 1;
  }

  /** Sessions of browsers and assistants that have not ended, of one key or of all, newest first. */
  list(workspaceId: string, apiKeyId: string | null, now: Date, idleSince: Date): Promise<ListedSession[]> {
    return this.dataSource.query<ListedSession[]>(
      `SELECT session.id, session.api_key_id AS "apiKeyId", session.address, session.user_agent AS "userAgent",
         session.created_at AS "createdAt", session.last_used_at AS "lastUsedAt", session.expires_at AS "expiresAt",
         key.key_prefix AS "keyPrefix"
       FROM sessions AS session
       JOIN api_keys AS key ON key.workspace_id = session.workspace_id AND key.id = session.api_key_id
       WHERE session.workspace_id = $1 AND session.kind <> 'link' AND ($2::uuid IS NULL OR session.api_key_id = $2)
         AND session.expires_at > $3 AND (session.kind = 'assistant' OR session.last_used_at > $4)
         AND key.is_active AND (key.expires_at IS NULL OR key.expires_at > $3)
       ORDER BY session.created_at DESC, session.id`,
      [workspaceId, apiKeyId, now, idleSince],
    );
  }

  /** Records a use, unless a later one than `unlessSince` is recorded. */
  async touch(workspaceId: string, id: string, now: Date, unlessSince: Date): Promise<void> {
    await this.dataSource.query(
      'UPDATE sessions SET last_used_at = $3 WHERE workspace_id = $1 AND id = $2 AND last_used_at < $4',
      [workspaceId, id, now, unlessSince],
    );
  }

  /** Deletes a session or link by its token; exactly one of several concurrent calls returns true. */
  async delete(workspaceId: string, tokenHash: Buffer): Promise<boolean> {
    const [ended] = await this.dataSource.query<[{ id: string }[], number]>(
      'DELETE FROM sessions WHERE workspace_id = $1 AND token_hash = $2 RETURNING id',
      [workspaceId, tokenHash],
    );
    const [{ id } = { id: null }] = ended;
    if (id !== null)
      await this.dataSource.query('DELETE FROM sessions WHERE workspace_id = $1 AND parent_id = $2', [
        workspaceId,
        id,
      ]);
    return id !== null;
  }

  /** Ends sessions with their links: one by its id or all, of one key or of all; returns how many sessions. */
  async end(workspaceId: string, id: string | null, apiKeyId: string | null): Promise<number> {
    const [ended] = await this.dataSource.query<[{ kind: string }[], number]>(
      `DELETE FROM sessions WHERE workspace_id = $1 AND ($3::uuid IS NULL OR api_key_id = $3)
         AND ($2::uuid IS NULL OR id = $2 AND kind <> 'link' OR parent_id = $2)
       RETURNING kind`,
      [workspaceId, id, apiKeyId],
    );
    return ended.filter(({ kind }) => kind !== 'link').length;
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
