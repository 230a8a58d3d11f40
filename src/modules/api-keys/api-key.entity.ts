import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Scope } from '../../http/scope.js';

/** An API key without its text, of which only the hash is stored. */
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

  /** From this time on the key is refused; null for a key that does not expire. */
  @Column('timestamptz', { nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}

/** Whether a key that was not revoked has ended by itself. */
export function hasExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
