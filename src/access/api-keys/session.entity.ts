import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A browser signed in with an API key, with the key's permissions, or a link that signs a browser in once. */
@Entity('sessions')
@Index('sessions_token_hash', ['tokenHash'], { unique: true })
@Index('sessions_expired', ['expiresAt'])
@Index('sessions_of_key', ['workspaceId', 'apiKeyId', 'kind', 'createdAt'])
export class Session {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** SHA-256 of the cookie's value or of the link's token. */
  @PrimaryColumn('bytea')
  tokenHash: Buffer;

  @Column('uuid')
  id: string;

  @Column('text')
  kind: 'session' | 'link';

  @Column('uuid')
  apiKeyId: string;

  /** The session that made the link, which ends with it; null for a link made with a key. */
  @Column('uuid', { nullable: true })
  parentId: string | null;

  /** End of the session that a link begins, at the latest; null when only the key limits it. */
  @Column('timestamptz', { nullable: true })
  sessionEndsAt: Date | null;

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
