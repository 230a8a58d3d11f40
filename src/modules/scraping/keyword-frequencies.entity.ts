import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A version of a workspace's phrase frequencies. A version never changes. */
@Entity('keyword_frequencies')
export class KeywordFrequencies {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  /** From 1. */
  @PrimaryColumn('integer')
  version: number;

  /** As `WorkspaceFrequencies` writes itself. */
  @Column('bytea')
  state: Buffer;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
