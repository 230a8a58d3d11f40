import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { JobPost } from './job-post.entity.js';

/** A file that a running job has to download. Removed when the job ends. */
@Entity('job_media')
@ForeignKey(() => JobPost, ['workspaceId', 'jobId', 'postId'], ['workspaceId', 'jobId', 'postId'], {
  onDelete: 'CASCADE',
})
export class JobMedia {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  jobId: string;

  @PrimaryColumn('text')
  postId: string;

  /** SHA-256 of `url`. */
  @PrimaryColumn('bytea')
  urlHash: Buffer;

  @Column('text')
  url: string;

  /** URLs of a separate sound track to try in order, one a line. */
  @Column('text', { nullable: true })
  audioUrl: string | null;

  /** URL of a copy for when the file is gone. */
  @Column('text', { nullable: true })
  fallbackUrl: string | null;

  /** False once the file was downloaded or skipped. */
  @Column('boolean', { default: true })
  pending: boolean;

  /** Size of the downloaded file in bytes. */
  @Column('bigint', { default: 0, transformer: { from: Number, to: (value: number) => value } })
  bytes: number;
}
