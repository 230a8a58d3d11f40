import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** A query for which a source is read, since the reader took notice of it. */
@Entity('listeners')
export class SourceListener extends WorkspaceRow {
  /** Of the alert or saved search. */
  @PrimaryColumn('uuid')
  id: string;

  @PrimaryColumn('text')
  source: string;

  @Column('timestamptz', { default: () => 'now()' })
  since: Date;

  /** Number of texts of the source that were read before. */
  @Column('bigint')
  readBefore: string;

  @Column('bigint', { default: 0 })
  matched: string;
}
