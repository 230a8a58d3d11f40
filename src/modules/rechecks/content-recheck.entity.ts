import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Kinds of content that are looked up again. */
export const RECHECKED_KINDS = ['posts', 'comments'] as const;
export type RecheckedKind = (typeof RECHECKED_KINDS)[number];

const COUNT = { from: Number, to: (value: number) => value };

/** How far a workspace's content of one source is looked up again, and how much of it was gone since the beginning. */
@Entity('content_rechecks')
@Check('content_rechecks_kind_check', "kind IN ('posts', 'comments')")
@Index('content_rechecks_due', ['dueAt'])
export class ContentRecheck {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('text')
  kind: RecheckedKind;

  /** When the next batch is looked up. */
  @Column('timestamptz')
  dueAt: Date;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  /** Null between two passes. */
  @Column('timestamptz', { nullable: true })
  passStartedAt: Date | null;

  /** Creation time and id of the last row that was looked up in this pass; null at its start. */
  @Column('text', { nullable: true })
  afterTime: string | null;

  @Column('text', { nullable: true })
  afterId: string | null;

  /** Posts, comments or threads that were looked up. */
  @Column('bigint', { default: 0, transformer: COUNT })
  checked: number;

  /** Rows that were overwritten, by reason. */
  @Column('bigint', { default: 0, transformer: COUNT })
  deleted: number;

  @Column('bigint', { default: 0, transformer: COUNT })
  removed: number;

  @Column('bigint', { default: 0, transformer: COUNT })
  accountDeleted: number;
}
