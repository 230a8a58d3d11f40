import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../database/workspace-row.js';

/** An index over up to 65,536 rows as they were when it was written. Its blocks never change. */
@Entity('search_segments')
@Index('search_segments_erased', ['erasedSince'], { where: 'erased_since IS NOT NULL' })
@Check('search_segments_kind_check', "kind IN ('posts', 'comments')")
export class SearchSegment extends WorkspaceRow {
  /** Never repeats, so that processes can keep its blocks. */
  @PrimaryColumn('uuid', { generated: 'uuid' })
  id: string;

  /** The table of the rows. */
  @Column('text')
  kind: 'posts' | 'comments';

  /** Number of rows when it was written. */
  @Column('integer')
  rows: number;

  /** Number of rows changed or deleted since; never decreases. */
  @Column('integer', { default: 0 })
  outdated: number;

  /** Bitmap of the outdated rows; null when there are none. */
  @Column('bytea', { nullable: true })
  outdatedRows: Buffer | null;

  /** When the first row was marked that was deleted or whose text was withdrawn; null when there is none. */
  @Column('timestamptz', { nullable: true })
  erasedSince: Date | null;
}
