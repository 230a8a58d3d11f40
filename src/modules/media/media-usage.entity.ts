import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** Bytes of all media files of a workspace; changes in the statement that adds a file. */
@Entity('media_usage')
export class MediaUsage {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** A 64-bit integer as text. */
  @Column('bigint')
  bytes: string;
}
