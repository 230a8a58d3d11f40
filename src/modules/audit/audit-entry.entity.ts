import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Who can make a change: an API key, the admin token, or a command run on a host of the service. */
export type AuditActor = 'api_key' | 'admin' | 'command_line';

/**
 * One change: who made it, what it was, when, and from where. Entries outlive the workspace they refer to, so they are
 * not tenant rows.
 */
@Entity('audit_entries')
@Check('audit_entries_actor_check', "actor IN ('api_key', 'admin', 'command_line')")
@Index('audit_entries_newest', ['recordedAt', 'id'])
@Index('audit_entries_of_workspace', ['targetWorkspaceId', 'recordedAt', 'id'])
export class AuditEntry {
  @PrimaryColumn('uuid')
  id: string;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  recordedAt: Date;

  @Column('text')
  actor: AuditActor;

  /** The key's prefix, or `user@host` for a command; null for the admin token. */
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
}
