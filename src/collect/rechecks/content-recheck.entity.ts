import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Kinds of content that are rechecked. */
export const RECHECKED_KINDS = ['posts', 'comments'] as const;
export type RecheckedKind = (typeof RECHECKED_KINDS)[number];

const COUNT = { from: Number, to: (value: number) => value };

/**
 * Progress of rechecking one kind of a workspace's content from one source, and totals of checked and removed content.
 */
@Entity('content_rechecks')
@Check('content_rechecks_kind_check', "kind IN ('posts', 'comments')")
@Index('content_rechecks_due', ['dueAt'])
export class ContentRecheck extends WorkspaceRow {
  @PrimaryColumn('text')
  source: string;

  @PrimaryColumn('text')
  kind: RecheckedKind;

  /** When the next batch is due. */
  @Column('timestamptz')
  dueAt: Date;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  /** Null between two passes. */
  @Column('timestamptz', { nullable: true })
  passStartedAt: Date | null;

  /** Creation time and id of the last row rechecked in this pass; null at its start. */
  @Column('text', { nullable: true })
  afterTime: string | null;

  @Column('text', { nullable: true })
  afterId: string | null;

  /** Number of posts, comments or threads rechecked. */
  @Column('bigint', { default: 0, transformer: COUNT })
  checked: number;

  /** Number of rows overwritten, by reason. */
  @Column('bigint', { default: 0, transformer: COUNT })
  deleted: number;

  @Column('bigint', { default: 0, transformer: COUNT })
  removed: number;

  @Column('bigint', { default: 0, transformer: COUNT })
  accountDeleted: number;
}
