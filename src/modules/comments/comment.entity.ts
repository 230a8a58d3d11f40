import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SentimentLabel } from '../../enrichment/enrichment.js';

/** A stored comment. Properties carry the interface's own names, so that a row is a record without translation. */
@Entity('comments')
export class CommentRecord {
  @PrimaryColumn('uuid')
  workspace_id: string;

  /** The platform id's base-36 digits as a number: stable, and needs no sequence shared between shards. */
  @PrimaryColumn('bigint', { transformer: { from: Number, to: (value: number) => value } })
  id: number;

  /** Platform id, `t1_…`. */
  @Column('text')
  comment_id: string;

  @Column('text')
  post_id: string;

  @Column('text')
  post_permalink: string;

  @Column('text')
  parent_id: string;

  @Column('text')
  author: string;

  @Column('text')
  body: string;

  @Column('integer')
  score: number;

  @Column('timestamptz')
  created_utc: Date;

  @Column('integer')
  depth: number;

  @Column('boolean')
  is_submitter: boolean;

  @Column('double precision')
  sentiment_score: number;

  @Column('text')
  sentiment_label: SentimentLabel;

  @Column('timestamptz')
  scraped_at: Date;
}

/** The numeric id of a platform id. */
export function commentNumber(commentId: string): number {
  return Number.parseInt(commentId.replace(/^t1_/, ''), 36);
}
