import { Column, Entity } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Total bytes of a workspace's media files; updated by the statement that adds a file. */
@Entity('media_usage')
export class MediaUsage extends WorkspaceRow {
  /** A 64-bit integer as text. */
  @Column('bigint')
  bytes: string;
}
