import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { Scope } from '../../http/request/scope.js';

/**
 * A credential of a workspace: an API key, of which only the hash is stored, or a member, who signs in with an account
 * of the identity provider and has no key text.
 */
@Entity('api_keys')
@Index('api_keys_key_hash', ['keyHash'], { unique: true })
@Index('api_keys_member', ['workspaceId', 'email'], { unique: true, where: 'email IS NOT NULL' })
@Index('api_keys_of_email', ['email'], { where: 'email IS NOT NULL' })
@Index('api_keys_of_subject', ['subject'], { where: 'subject IS NOT NULL' })
export class ApiKey extends WorkspaceRecord {
  @Column('text')
  name: string;

  /** The first characters of the key; the address of a member. */
  @Column('text')
  keyPrefix: string;

  /** Address of a member, in lower case; null for an API key. */
  @Column('text', { nullable: true })
  email: string | null;

  /** The member's account at the identity provider, as `ISSUER SUBJECT`; null before the first sign-in. */
  @Column('text', { nullable: true })
  subject: string | null;

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
