import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** The ids of the posts that an ended job stored, in one row: one row per post would take twenty times the space. */
@Entity('job_stored_posts')
export class JobStoredPosts {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  jobId: string;

  /** Platform ids in the order in which the job stored its posts. */
  @Column('text', { array: true })
  postIds: string[];
}
