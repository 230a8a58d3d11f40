import { Column, Entity, Unique } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';

/** A downloaded file of a post. Posts with identical media share one stored file. */
@Entity('media_files')
@Unique(['workspaceId', 'postId', 'urlHash'])
export class MediaFile extends WorkspaceRecord {
  @Column('text')
  postId: string;

  /** Address on the platform. */
  @Column('text')
  url: string;

  /** SHA-256 of `url`; set only by the repository. */
  @Column({ type: 'bytea', select: false, insert: false, update: false })
  urlHash?: Buffer;

  @Column('text')
  contentType: string;

  @Column('bigint', { transformer: { from: Number, to: (value: number) => value } })
  size: number;

  @Column('text')
  sha256: string;

  /** Key in the media store. */
  @Column('text')
  path: string;

  @Column('timestamptz')
  createdAt: Date;
}
