import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A post that a running job has stored. Removed when the job ends. */
@Entity('job_posts')
@Index('job_posts_pending', { synchronize: false })
export class JobPost {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  jobId: string;

  @PrimaryColumn('text')
  postId: string;

  /** Position in the order in which the job stored its posts, from 0. */
  @Column('integer')
  position: number;

  /** Whether the comments still have to be read. */
  @Column('boolean')
  commentsPending: boolean;

  /** Number of the post's comments that the job's counter includes. */
  @Column('integer', { default: 0 })
  comments: number;

  /** Phrase hashes (uint32, little endian) of a post that was new to the workspace, else null. */
  @Column('bytea', { nullable: true })
  phraseKeys: Buffer | null;
}
