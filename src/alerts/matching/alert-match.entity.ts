import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Reading } from './second-reading.js';
import type { MatchState } from './match-state.js';

/** A post or comment that an alert matched; each pair of alert and record at most once. */
@Entity('alert_matches')
@ForeignKey('Alert', ['workspaceId', 'alertId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
@Index('alert_matches_newest', ['workspaceId', 'alertId', 'matchedAt', 'postId'])
@Index('alert_matches_id', ['workspaceId', 'id'])
@Index('alert_matches_inbox', ['workspaceId', 'matchedAt', 'id'])
@Index('alert_matches_unread', ['readingDueAt'], { where: 'reading_due_at IS NOT NULL' })
export class AlertMatch {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  alertId: string;

  /** Id of the post, or the result of `keyOfComment`. */
  @PrimaryColumn('text')
  postId: string;

  @Column('uuid', { generated: 'uuid' })
  id: string;

  @Column('uuid')
  jobId: string;

  /** The alert's keywords that were found in it. */
  @Column('text', { array: true })
  keywords: string[];

  @Column('timestamptz', { default: () => 'now()' })
  matchedAt: Date;

  /** Whether it waits for the next digest. */
  @Column('boolean', { default: false })
  isHeld: boolean;

  /** The earlier match of the same story that counts it; null for matches that stand for themselves. */
  @Column('uuid', { nullable: true })
  foldedInto: string | null;

  /** Number of matches that are folded into it. */
  @Column('integer', { default: 0 })
  duplicates: number;

  @Column('text', { default: 'new' })
  state: MatchState;

  /** Sorted, each once. */
  @Column('text', { array: true, default: [] })
  labels: string[];

  @Column('text', { default: '' })
  note: string;

  /** The probability that it is relevant; null while its alert has learned nothing. */
  @Column('real', { nullable: true })
  relevance: number | null;

  /** The second reading; null while there is none. */
  @Column('jsonb', { nullable: true })
  reading: Reading | null;

  /** When it may be read a second time, before it is sent; null for matches that do not wait. */
  @Column('timestamptz', { nullable: true })
  readingDueAt: Date | null;
}
