import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A part of a segment: its directory (number 0), ids, a column of numbers, or postings of neighbouring terms. */
@Entity('search_blocks')
@ForeignKey('SearchSegment', ['workspaceId', 'segmentId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class SearchBlock {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  segmentId: string;

  @PrimaryColumn('integer')
  number: number;

  @Column('bytea')
  data: Buffer;
}
