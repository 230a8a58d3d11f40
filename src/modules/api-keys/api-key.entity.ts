import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Scope } from '../../http/scope.js';

/** An API key. Only its hash is stored, not its text. */
@Entity('api_keys')
@Index('api_keys_key_hash', ['keyHash'], { unique: true })
export class ApiKey {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  keyPrefix: string;

  /** SHA-256 of the key. */
  @Column('bytea')
  keyHash: Buffer;

  @Column('text', { array: true })
  scopes: Scope[];

  @Column('boolean', { default: true })
  isActive: boolean;

  /** The key is rejected from this time on; null for a key that does not expire. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}

/** Whether the key is past its expiry time. */
export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
