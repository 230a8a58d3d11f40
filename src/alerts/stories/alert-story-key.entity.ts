import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** A hash by which reposts of a matched post or comment are recognised for seven days. */
@Entity('alert_story_keys')
@Index('alert_story_keys_stored', ['workspaceId', 'storedAt'])
export class AlertStoryKey extends WorkspaceRow {
  /** A 64-bit integer as text. */
  @PrimaryColumn('bigint')
  key: string;

  /** As `postId` of matches. */
  @PrimaryColumn('text')
  recordId: string;

  /** Of the record's texts, as BCP 47 or `und`. */
  @Column('text')
  language: string;

  @Column('timestamptz', { default: () => 'now()' })
  storedAt: Date;
}
