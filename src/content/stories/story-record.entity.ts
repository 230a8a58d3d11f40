import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Which story a post or comment is in, for the list that has the story. Kept for 90 days. */
@Entity('story_records')
@Index('story_records_of_story', ['workspaceId', 'storyId'])
@Index('story_records_of_record', ['workspaceId', 'recordId'])
@Index('story_records_oldest', ['storedAt'])
export class StoryRecord extends WorkspaceRow {
  /** A hash of the query and filters of the list, without its time; a 64-bit integer as text. */
  @PrimaryColumn('bigint')
  scope: string;

  @PrimaryColumn('text')
  recordId: string;

  @Column('uuid')
  storyId: string;

  @Column('timestamptz', { default: () => 'now()' })
  storedAt: Date;
}
