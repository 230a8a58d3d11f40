import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A post that an alert matched; each pair of alert and post at most once. */
@Entity('alert_matches')
@ForeignKey('Alert', ['workspaceId', 'alertId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
@Index('alert_matches_newest', ['workspaceId', 'alertId', 'matchedAt', 'postId'])
export class AlertMatch {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  alertId: string;

  @PrimaryColumn('text')
  postId: string;

  @Column('uuid')
  jobId: string;

  /** The alert's keywords that were found in the post. */
  @Column('text', { array: true })
  keywords: string[];

  @Column('timestamptz', { default: () => 'now()' })
  matchedAt: Date;
}
