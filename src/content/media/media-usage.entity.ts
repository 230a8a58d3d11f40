import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Total bytes of a workspace's media files; updated by the statement that adds a file. */
@Entity('media_usage')
export class MediaUsage {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** A 64-bit integer as text. */
  @Column('bigint')
  bytes: string;
}
