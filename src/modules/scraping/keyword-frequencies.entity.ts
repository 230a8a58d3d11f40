import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A version of a workspace's phrase frequencies. A version never changes. */
@Entity('keyword_frequencies')
export class KeywordFrequencies {
  @PrimaryColumn('uuid')
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
