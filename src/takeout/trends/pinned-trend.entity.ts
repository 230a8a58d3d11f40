import { Column, Entity, Index } from 'typeorm';
import type { Subject, Split } from '../../content/analytics/dto/analytics.dto.js';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { Interval } from '../../search/search-request.js';

/** Days up to the present that a trend counts. */
export const TREND_PERIODS = ['1', '7', '30', '90', '365', 'all'] as const;
/** Values by which a single query of a trend can be split, in the order of the dashboard; `of` into posts and comments. */
export const TREND_SPLITS = [
  'source',
  'forum',
  'of',
  'sentiment',
  'language',
  'post_type',
] as const satisfies readonly (Split | 'of')[];
/** What the lines of a trend show: counts, shares of all lines together, or the mean sentiment. */
export const TREND_MEASURES = ['count', 'share', 'sentiment'] as const;

/** All that determines the chart of a trend. */
export interface Trend {
  queries: string[];
  of: Subject;
  period: (typeof TREND_PERIODS)[number];
  interval: Interval;
  split_by?: (typeof TREND_SPLITS)[number];
  measure: (typeof TREND_MEASURES)[number];
}

/** A trend that all members of a workspace see on Home. */
@Entity('pinned_trends')
@Index('pinned_trends_by_link', ['linkHash'], { unique: true })
export class PinnedTrend extends WorkspaceRecord {
  @Column('jsonb')
  trend: Trend;

  @Column('timestamptz')
  createdAt: Date;

  /** SHA-256 of the token of its read-only link, in hex; null without a link. */
  @Column('text', { nullable: true })
  linkHash: string | null;

  /** When the link ends; null without one. */
  @Column('timestamptz', { nullable: true })
  linkExpiresAt: Date | null;
}
