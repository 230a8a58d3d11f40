import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import type { PostType } from '../../platforms/platform.js';

/** A stored post of a workspace. */
@Entity('posts')
@Check('posts_post_type_check', "post_type IN ('link', 'self', 'image', 'video')")
@Check('posts_sentiment_label_check', "sentiment_label IN ('positive', 'negative', 'neutral')")
@Index('posts_by_created_utc', ['workspaceId', 'createdUtc', 'id'])
@Index('posts_by_score', ['workspaceId', 'score', 'id'])
@Index('posts_by_num_comments', ['workspaceId', 'numComments', 'id'])
@Index('posts_by_upvote_ratio', ['workspaceId', 'upvoteRatio', 'id'])
@Index('posts_by_sentiment_score', ['workspaceId', 'sentimentScore', 'id'])
@Index('posts_by_scraped_at', ['workspaceId', 'scrapedAt', 'id'])
@Index('posts_by_forum', { synchronize: false })
@Index('posts_of_accounts', { synchronize: false })
@Index('posts_by_author', { synchronize: false })
@Index('posts_search', { synchronize: false })
export class PostRecord extends WorkspaceRow {
  /** Platform id, `t3_…` or `hn_…`. */
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  forum: string;

  @Column('text')
  title: string;

  @Column('text')
  author: string;

  @Column('timestamptz')
  createdUtc: Date;

  @Column('text')
  permalink: string;

  @Column('text', { nullable: true })
  url: string | null;

  @Column('integer')
  score: number;

  @Column('double precision')
  upvoteRatio: number;

  @Column('integer')
  numComments: number;

  @Column('text')
  selftext: string;

  @Column('text')
  postType: PostType;

  @Column('boolean')
  isNsfw: boolean;

  @Column('boolean')
  isSpoiler: boolean;

  @Column('text')
  flair: string;

  @Column('integer')
  totalAwards: number;

  @Column('boolean')
  hasMedia: boolean;

  @Column('text', { array: true })
  mediaUrls: string[];

  @Column('double precision')
  sentimentScore: number;

  @Column('text')
  sentimentLabel: SentimentLabel;

  /** The computed label when a person set `sentimentLabel`; null otherwise. */
  @Column({ type: 'text', nullable: true, insert: false })
  modelLabel?: SentimentLabel | null;

  @Column('text', { array: true })
  keywords: string[];

  /** Names of the fields, as in the interface, that the source does not tell. */
  @Column('text', { array: true, default: [] })
  unknownFields: string[];

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

  /** Lexemes of title and text with their places, from `searchValue`. Never selected. */
  @Column({ type: 'tsvector', default: '', select: false })
  search?: string;
}
