import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What can make a change: an API key, the admin token, or a command on a machine of the service. */
export const AUDIT_ACTORS = ['api_key', 'admin', 'command_line'] as const;
/** One of {@link AUDIT_ACTORS}. */
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/**
 * One change: who made it, what it was, when and from where. Entries outlive the workspace that they are about, so they are
 * not rows of a tenant.
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

  /** The key's prefix, or `user@host` of a command; null for the admin token. */
  @Column('text', { nullable: true })
  actorName: string | null;

  /** The address that the request came from; null for a command. */
  @Column('text', { nullable: true })
  ip: string | null;

  /** The operation's id in the contract, or the command. */
  @Column('text')
  action: string;

  /** The workspace that the change is about; null while it is being created. */
  @Column('uuid', { nullable: true })
  targetWorkspaceId: string | null;

  /** Ids of what was changed, by the name of the path parameter; `id` is that of a created thing. */
  @Column('jsonb', { default: {} })
  resource: Record<string, string>;

  /** Names of the fields that were sent. */
  @Column('text', { array: true, default: [] })
  fields: string[];

  /** HTTP status of the answer, 0 for a command that succeeded and 1 for one that failed; null while it is unknown. */
  @Column('integer', { nullable: true })
  status: number | null;

  /** Null for a command. */
  @Column('text', { nullable: true })
  requestId: string | null;
}
