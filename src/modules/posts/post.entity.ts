import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SentimentLabel } from '../../enrichment/enrichment.js';
import type { PostType } from '../../platforms/platform.js';

/** A stored post. Properties carry the interface's own names, so that a row is a record without translation. */
@Entity('posts')
export class PostRecord {
  @PrimaryColumn('uuid')
  workspace_id: string;

  /** Platform id, `t3_…`. */
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  forum: string;

  @Column('text')
  title: string;

  @Column('text')
  author: string;

  @Column('timestamptz')
  created_utc: Date;

  @Column('text')
  permalink: string;

  @Column('text', { nullable: true })
  url: string | null;

  @Column('integer')
  score: number;

  @Column('double precision')
  upvote_ratio: number;

  @Column('integer')
  num_comments: number;

  @Column('text')
  selftext: string;

  @Column('text')
  post_type: PostType;

  @Column('boolean')
  is_nsfw: boolean;

  @Column('boolean')
  is_spoiler: boolean;

  @Column('text')
  flair: string;

  @Column('integer')
  total_awards: number;

  @Column('boolean')
  has_media: boolean;

  @Column('text', { array: true })
  media_urls: string[];

  @Column('double precision')
  sentiment_score: number;

  @Column('text')
  sentiment_label: SentimentLabel;

  @Column('text', { array: true })
  keywords: string[];

  @Column('timestamptz')
  scraped_at: Date;
}
