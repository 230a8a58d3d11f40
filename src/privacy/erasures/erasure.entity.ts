import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { SubjectKind } from '../../tenants/ports/erasure-subject.js';

/** Counters of erasures. */
export const REMOVED = [
  'posts',
  'comments',
  'media',
  'matches',
  'events',
  'exports',
  'jobs',
  'schedules',
  'responses',
  'dataset_rows',
] as const;
export type Removed = Record<(typeof REMOVED)[number], number>;

/** The counts of an erasure that has removed nothing. */
export const noneRemoved = (): Removed => Object.fromEntries(REMOVED.map((name) => [name, 0])) as Removed;

/** The steps of an erasure, in order; only one of a restored list examines every row. */
export const PHASES = [
  'begin',
  'examine_posts',
  'examine_comments',
  'rows',
  'datasets',
  'traces',
  'changes',
  'segments',
] as const;
export type ErasurePhase = (typeof PHASES)[number];

/** A request to erase a post, a comment or everything of an author, and how far it is. */
@Entity('erasures')
@Index('erasures_newest', ['workspaceId', 'createdAt', 'id'])
@Index('erasures_unfinished', ['createdAt'], { where: 'completed_at IS NULL' })
export class Erasure extends WorkspaceRecord {
  @Column('text')
  kind: SubjectKind;

  /** Name of the source; null for an author of every source. */
  @Column('text', { nullable: true })
  source: string | null;

  /** Keyed hash of the subject. */
  @Column('bytea')
  subjectHash: Buffer;

  /**
   * The subject, encrypted with a key of the workspace; null once the erasure is complete, and for one of a restored
   * list.
   */
  @Column('text', { nullable: true })
  sealedSubject: string | null;

  @Column('text')
  reason: string;

  @Column('boolean')
  suppress: boolean;

  /** The suppression that it extends; null without one. */
  @Column('uuid', { nullable: true })
  suppressionId: string | null;

  @Column('text')
  phase: ErasurePhase;

  /** The last examined row. */
  @Column('text', { nullable: true })
  scannedTo: string | null;

  @Column('jsonb')
  removed: Removed;

  /** Until when a process works on it. */
  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;
}
