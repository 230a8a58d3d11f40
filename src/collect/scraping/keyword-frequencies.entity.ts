import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** One version of a workspace's phrase frequencies. Versions are immutable. */
@Entity('keyword_frequencies')
export class KeywordFrequencies extends WorkspaceRow {
  /** Version number, from 1. */
  @PrimaryColumn('integer')
  version: number;

  /** The serialized form of `WorkspaceFrequencies`. */
  @Column('bytea')
  state: Buffer;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
