import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/**
 * `waiting`: still to be read from its platform; `stored`; `unread`: gone, not for visitors, or failed too often;
 * `unstored`: beyond the quota.
 */
export type HeardState = 'waiting' | 'stored' | 'unread' | 'unstored';

/** A post or comment of a stream that matched a listener of the workspace, kept so that none is stored twice. */
@Entity('heard_texts')
@Index('heard_texts_waiting', ['source', 'seenAt'], { where: "state = 'waiting'" })
@Index('heard_texts_seen_at', ['seenAt'])
export class HeardText extends WorkspaceRow {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  source: string;

  @PrimaryColumn('boolean')
  isComment: boolean;

  /** What a stream showed of a post that waits; null when it is read from its platform. */
  @Column('json', { nullable: true })
  post: object | null;

  @Column('text', { default: 'waiting' })
  state: HeardState;

  @Column('integer', { default: 0 })
  attempts: number;

  /** Until when a worker reads it; null when none does. */
  @Column('timestamptz', { nullable: true })
  claimedUntil: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  seenAt: Date;
}
