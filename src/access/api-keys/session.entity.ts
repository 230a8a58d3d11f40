import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';
import type { AssistantGrant } from './assistant-grant.js';

/**
 * A browser signed in with an API key, with the key's permissions, a link that signs a browser in once, or an assistant
 * that works for the owner of the key, with permissions of its own.
 */
@Entity('sessions')
@Index('sessions_token_hash', ['tokenHash'], { unique: true })
@Index('sessions_expired', ['expiresAt'])
@Index('sessions_of_key', ['workspaceId', 'apiKeyId', 'kind', 'createdAt'])
export class Session extends WorkspaceRow {
  /** SHA-256 of the cookie's value, of the link's token, or of the part that all tokens of an assistant have. */
  @PrimaryColumn('bytea')
  tokenHash: Buffer;

  @Column('uuid')
  id: string;

  @Column('text')
  kind: 'session' | 'link' | 'assistant';

  @Column('uuid')
  apiKeyId: string;

  /** The session that made the link, which ends with it; null for a link made with a key. */
  @Column('uuid', { nullable: true })
  parentId: string | null;

  /** End of the session that a link begins, at the latest; null when only the key limits it. */
  @Column('timestamptz', { nullable: true })
  sessionEndsAt: Date | null;

  /** Null unless the session is an assistant's. */
  @Column('jsonb', { nullable: true })
  assistant: AssistantGrant | null;

  /** Address of the browser that signed in. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { nullable: true })
  userAgent: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** With a resolution of one minute. */
  @Column('timestamptz', { default: () => 'now()' })
  lastUsedAt: Date;

  @Column('timestamptz')
  expiresAt: Date;
}
