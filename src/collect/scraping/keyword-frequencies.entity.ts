import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** One version of a workspace's phrase frequencies. Versions are immutable. */
@Entity('keyword_frequencies')
export class KeywordFrequencies {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** Version number, from 1. */
  @PrimaryColumn('integer')
  version: number;

  /** The serialized form of `WorkspaceFrequencies`. */
  @Column('bytea')
  state: Buffer;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
