import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** States of a workspace: only in `active` its keys are accepted and its jobs, schedules and deliveries go on. */
export const WORKSPACE_STATUSES = ['active', 'suspended', 'deleting'] as const;
/** One of {@link WORKSPACE_STATUSES}. */
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** How far the deletion of a workspace is. */
export interface WorkspaceDeletion {
  requestedAt: string;
  /** Rows deleted so far, over all tables. */
  rows: number;
}

/** What is deleted by age, each after a number of days of its own. */
export const RETAINED_KINDS = ['posts', 'comments', 'media', 'deliveries', 'jobs'] as const;
/** One of {@link RETAINED_KINDS}. */
export type RetainedKind = (typeof RETAINED_KINDS)[number];
/** Most days after which data is deleted. */
export const MAX_RETENTION_DAYS = 36_500;

/** A workspace: the tenant that everything else belongs to. */
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

  /** Days after which data is deleted, from 1; what is not named stays. */
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
