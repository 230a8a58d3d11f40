import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';
import type { SentimentLabel } from '../../enrichment/enrichment.js';

/** A stored comment of a workspace. */
@Entity('comments')
@Check('comments_sentiment_label_check', "sentiment_label IN ('positive', 'negative', 'neutral')")
@Index('comments_newest', ['workspaceId', 'createdUtc', 'id'])
@Index('comments_by_post', ['workspaceId', 'postId', 'createdUtc', 'id'])
@Index('comments_by_score', ['workspaceId', 'score', 'id'])
@Index('comments_by_sentiment_score', ['workspaceId', 'sentimentScore', 'id'])
@Index('comments_by_forum', { synchronize: false })
@Index('comments_of_accounts', { synchronize: false })
@Index('comments_by_author', { synchronize: false })
@Index('comments_search', { synchronize: false })
export class CommentRecord extends WorkspaceRow {
  /** Computed from the platform id by `SOURCES.commentNumber`: stable, and independent of any sequence. */
  @PrimaryColumn('bigint', { transformer: { from: Number, to: (value: number) => value } })
  id: number;

  /** Platform id, `t1_…` or `hn_…`. */
  @Column('text')
  commentId: string;

  @Column('text')
  postId: string;

  @Column('text')
  postPermalink: string;

  /** Forum of the post. Not selected, because no response contains it. */
  @Column('text', { select: false })
  forum?: string;

  @Column('text')
  parentId: string;

  @Column('text')
  author: string;

  @Column('text')
  body: string;

  @Column('integer')
  score: number;

  @Column('timestamptz')
  createdUtc: Date;

  @Column('integer')
  depth: number;

  @Column('boolean')
  isSubmitter: boolean;

  @Column('double precision')
  sentimentScore: number;

  @Column('text')
  sentimentLabel: SentimentLabel;

  /** The computed label when a person set `sentimentLabel`; null otherwise. */
  @Column({ type: 'text', nullable: true, insert: false })
  modelLabel?: SentimentLabel | null;

  @Column('timestamptz')
  scrapedAt: Date;

  /** Plugin data by plugin name. Selected only if the query names it. */
  @Column('jsonb', { default: {}, select: false })
  annotations?: Record<string, unknown>;

  /** BCP 47 primary language, found when the row is stored unless it is given; `und` when it cannot be known. */
  @Column('text', { default: 'und' })
  language?: string;

  /** As {@link isPromotion}, found when the row is stored; false for rows that older versions stored. */
  @Column('boolean', { default: false })
  isPromotion?: boolean;

  /** Lexemes of the body with their places, from `searchValue`. Never selected. */
  @Column({ type: 'tsvector', default: '', select: false })
  search?: string;
}
