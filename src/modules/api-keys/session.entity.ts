import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A browser signed in with an API key, with the key's permissions. */
@Entity('sessions')
@Index('sessions_token_hash', ['tokenHash'], { unique: true })
@Index('sessions_expired', ['expiresAt'])
export class Session {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** SHA-256 of the cookie's value. */
  @PrimaryColumn('bytea')
  tokenHash: Buffer;

  @Column('uuid')
  apiKeyId: string;

  @Column('timestamptz')
  expiresAt: Date;
}
