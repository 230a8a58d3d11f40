import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AuditDetails } from './audit-details.js';

/** Who acts: an API key, the admin token, a command run on a host of the service, or a client that was not identified. */
export const AUDIT_ACTORS = ['api_key', 'admin', 'command_line', 'anonymous'] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/**
 * One change, bulk read, or use of a credential: who, what, when, and from where. Entries outlive the workspace they
 * refer to, so they are not tenant rows. Sealed entries form a chain of hashes.
 */
@Entity('audit_entries')
@Index('audit_entries_sequence', ['sequence'], { unique: true })
@Index('audit_entries_unsealed', ['recordedAt', 'id'], { where: 'sequence IS NULL' })
@Index('audit_entries_newest', ['recordedAt', 'id'])
@Index('audit_entries_of_workspace', ['targetWorkspaceId', 'recordedAt', 'id'])
export class AuditEntry {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  recordedAt: Date;

  @Column('text')
  actor: AuditActor;

  /**
   * The key's prefix, the address of a member or operator who signed in, or `user@host` for a command; null for the
   * admin token and for unidentified clients.
   */
  @Column('text', { nullable: true })
  actorName: string | null;

  /** The client's address; null for a command. */
  @Column('text', { nullable: true })
  ip: string | null;

  /** The operation id from the contract, or the command's name. */
  @Column('text')
  action: string;

  /** The workspace the change affects; null while it is being created. */
  @Column('uuid', { nullable: true })
  targetWorkspaceId: string | null;

  /** Ids of the changed objects, by path parameter name; `id` is that of a created object. */
  @Column('jsonb', { default: {} })
  resource: Record<string, string>;

  /** Names of the fields in the request. */
  @Column('text', { array: true, default: [] })
  fields: string[];

  /** HTTP status of the response; for a command, 0 on success and 1 on failure; null while unknown. */
  @Column('integer', { nullable: true })
  status: number | null;

  /** Null for a command. */
  @Column('text', { nullable: true })
  requestId: string | null;

  /** Position in the chain, from 1; null until the entry is sealed. */
  @Column('bigint', { nullable: true })
  sequence: string | null;

  /** SHA-256 of this entry and of the hash before it; null until the entry is sealed. */
  @Column('bytea', { nullable: true })
  hash: Buffer | null;

  /** Names and settings of the record. They are not sealed, so that erasures and the end of the workspace clear them. */
  @Column('jsonb', { nullable: true })
  details: AuditDetails | null;
}
