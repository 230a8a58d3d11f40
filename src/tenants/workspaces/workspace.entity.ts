import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * States of a workspace: its keys are accepted and its jobs, schedules and deliveries run only while it is `active`.
 */
export type WorkspaceStatus = 'active' | 'suspended' | 'deleting';

/** Progress of a workspace's deletion. */
export interface WorkspaceDeletion {
  requestedAt: string;
  /** Rows deleted so far, over all tables. */
  rows: number;
}

/** Kinds of data that are deleted by age, each after its own number of days. */
export const RETAINED_KINDS = ['posts', 'comments', 'media', 'deliveries', 'jobs'] as const;
export type RetainedKind = (typeof RETAINED_KINDS)[number];
/** Largest retention time in days. */
export const MAX_RETENTION_DAYS = 36_500;

/** A workspace: the tenant that all other data belongs to. */
@Entity('workspaces')
@Check('workspaces_status_check', "status IN ('active', 'suspended', 'deleting')")
@Index('workspaces_newest', ['createdAt', 'id'])
@Index('workspaces_not_active', ['id', 'status'], { where: "status <> 'active'" })
export class Workspace {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  /** Quotas that differ from the operator's defaults, by name. */
  @Column('jsonb', { default: {} })
  quotas: Record<string, number>;

  /** Days (at least 1) after which data is deleted, by kind; kinds without an entry are kept. */
  @Column('jsonb', { default: {} })
  retentionDays: Partial<Record<RetainedKind, number>>;

  @Column('text', { default: 'active' })
  status: WorkspaceStatus;

  /** Null unless the workspace is being deleted. */
  @Column('jsonb', { nullable: true })
  deletion: WorkspaceDeletion | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;
}
