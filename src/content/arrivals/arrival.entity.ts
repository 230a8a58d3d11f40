import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Posts or comments that one statement stored for the first time. Kept for a day. */
@Entity('arrivals')
@Index('arrivals_oldest', ['arrivedAt'])
export class Arrival extends WorkspaceRow {
  @PrimaryColumn('text')
  kind: 'posts' | 'comments';

  /** The transaction that stored them, a 64-bit integer as text. */
  @PrimaryColumn('bigint')
  xid: string;

  /** The order within a transaction, a 64-bit integer as text. */
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'BY DEFAULT' })
  seq: string;

  /** Ids of posts, or numbers of comments. */
  @Column('text', { array: true })
  rowIds: string[];

  @Column('timestamptz', { default: () => 'now()' })
  arrivedAt: Date;
}
