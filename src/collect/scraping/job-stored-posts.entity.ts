import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** The ids of the posts that an ended job stored, in one row: one row per post would take twenty times the space. */
@Entity('job_stored_posts')
export class JobStoredPosts extends WorkspaceRow {
  @PrimaryColumn('uuid')
  jobId: string;

  /** Platform ids in the order in which the job stored its posts. */
  @Column('text', { array: true })
  postIds: string[];
}
