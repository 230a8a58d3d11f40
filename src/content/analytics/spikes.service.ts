import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { selectList } from '../../database/entity-columns.js';
import type { PostRecord } from '../posts/post.entity.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { Problem } from '../../http/problems/problem.js';
import type { BucketRow, SearchRequest } from '../../search/search-request.js';
import { MAX_BUCKETS } from '../../search/search-request.js';
import { SearchService } from '../../search/search.service.js';
import type { Subject } from './dto/analytics.dto.js';
import {
  MAX_SPIKES,
  type SpikeDto,
  type SpikePostDto,
  type SpikesDto,
  type SpikesQueryDto,
} from './dto/spikes.dto.js';
import type { SpikeOptions } from './spike-detector.js';
import {
  BUCKETS_PER_DAY,
  findSpikes,
  readPeriod,
  significantKeywords,
  type Spike,
  SPIKE_BUCKET_MS,
  type SpikeInterval,
} from './spike-series.js';
import { outermostTime } from './outermost-time.js';
import { MAX_AHEAD_MS } from '../../platforms/http/response-parsing.js';
import { refuseTimeZone, refuseUnknown, TABLES } from './subject.js';

/** Number of keywords, and of posts, shown of a spike. */
const SHOWN_KEYWORDS = 8;
const SHOWN_POSTS = 3;
/** Number of frequent keywords among which the significant ones are chosen. */
const COMPARED_KEYWORDS = 200;
/** Number of the best comments that say which posts a spike of comments is about. */
const COMPARED_COMMENTS = 200;

/** The search of a request, without its dates. */
type Searched = SearchRequest & { of: Subject; interval: SpikeInterval; timezone: string };

/** The search that an alert watches for spikes. */
export interface WatchedSeries extends Omit<SpikeOptions, 'bucketsPerDay'> {
  /** Posts and comments of several subjects are counted together. */
  subjects: readonly Subject[];
  q: string;
  interval: SpikeInterval;
  timezone: string;
}

/** A bucket that began a spike, with its subject. */
export interface WatchedSpike extends SpikeDto {
  /** In [-1, 1]; null without rows. */
  mean_sentiment: number | null;
}

/** Finds spikes in counts over time, and their subjects. */
@Injectable()
export class SpikesService {
  constructor(
    private readonly searches: SearchService,
    private readonly posts: PostsRepository,
    private readonly clock: Clock,
  ) {}

  /** The spikes of the posts or comments that match. Throws 400 for more than 2,000 buckets. */
  async find(workspaceId: string, query: SpikesQueryDto): Promise<SpikesDto> {
    const { of = 'posts', interval = 'hour', timezone = 'UTC', ...filter } = query;
    refuseUnknown(of, filter, [], '');
    refuseTimeZone(timezone);
    const searched = { of, interval, timezone, table: TABLES[of], workspaceId, filter };
    const latest = new Date(this.clock.now().getTime() + MAX_AHEAD_MS).toISOString();
    const newest = await outermostTime(
      this.searches,
      { ...searched, filter: { created_before: latest } },
      'desc',
    );
    const oldest = newest && (await this.oldest(searched, newest));
    if (oldest === null || newest === null) return { interval, timezone, spikes: [] };
    const [after, before] = [dateOf(filter.created_after), dateOf(filter.created_before)];
    const { from, to } = readPeriod({ interval, after, before, oldest, newest });
    const buckets = from < to ? await this.series(searched, from, to) : [];
    const found = findSpikes(
      buckets.map(({ start, count }) => ({ start, value: count })),
      { bucketsPerDay: BUCKETS_PER_DAY[interval], measure: 'count', direction: 'up' },
      SPIKE_BUCKET_MS[interval],
    ).filter(({ end }) => after === null || end > after);
    const largest = [...found].sort((a, b) => b.score - a.score).slice(0, MAX_SPIKES);
    const spikes: SpikeDto[] = [];
    // One after the other, so that a request needs one connection.
    for (const spike of found) if (largest.includes(spike)) spikes.push(await this.explain(searched, spike));
    return { interval, timezone, spikes };
  }

  /**
   * The buckets that began a spike from `since` on, and where the bucket begins that was not over at `until`. Of spikes
   * of posts and comments together, the first one says their subject.
   */
  async watch(
    workspaceId: string,
    watched: WatchedSeries,
    since: Date,
    until: Date,
  ): Promise<{ spikes: WatchedSpike[]; readUntil: Date }> {
    const { subjects, q, interval, timezone, ...options } = watched;
    const searched = subjects.map((of): Searched => ({
      of,
      interval,
      timezone,
      table: TABLES[of],
      workspaceId,
      filter: { q },
    }));
    // With the beginnings of the buckets after the last whole one, since a day on which clocks change is shorter or longer.
    const before = new Date(until.getTime() + 2 * SPIKE_BUCKET_MS[interval]);
    const merged = new Map<number, { start: Date; count: number; sentimentSum: number }>();
    for (const one of searched) {
      const oldest = await this.oldest(one, since);
      if (oldest === null) continue;
      const { from, to } = readPeriod({ interval, after: since, before, oldest, newest: until });
      for (const { start, count, sentimentSum } of from < to ? await this.series(one, from, to) : []) {
        const bucket = merged.get(start.getTime()) ?? { start, count: 0, sentimentSum: 0 };
        bucket.count += count;
        bucket.sentimentSum += sentimentSum;
        merged.set(start.getTime(), bucket);
      }
    }
    const all = [...merged.values()].sort((a, b) => a.start.getTime() - b.start.getTime());
    const buckets = all
      .map((bucket, index) => ({ ...bucket, end: all[index + 1]?.start ?? before }))
      .filter(({ end }) => end <= until);
    const found = findSpikes(
      buckets.map(({ start, count, sentimentSum }) => ({
        start,
        value: options.measure === 'count' ? count : count === 0 ? null : sentimentSum / count,
      })),
      { ...options, bucketsPerDay: BUCKETS_PER_DAY[interval] },
      SPIKE_BUCKET_MS[interval],
    ).filter(({ start }) => start >= since);
    const spikes: WatchedSpike[] = [];
    for (const { start, expected, score } of found.slice(-MAX_SPIKES)) {
      const { end, count, sentimentSum } = buckets.find((bucket) => bucket.start === start)!;
      const spike = { start, end, values: [count], expected: expected.slice(0, 1), score };
      spikes.push({
        ...(await this.explain(searched[0]!, spike)),
        mean_sentiment: count === 0 ? null : rounded(sentimentSum / count),
      });
    }
    return { spikes, readUntil: buckets.at(-1)?.end ?? since };
  }

  /** Time of the oldest stored row that a series up to a time can have, whatever the filters; null when there is none. */
  private oldest(searched: Searched, until: Date): Promise<Date | null> {
    const earliest = until.getTime() - MAX_BUCKETS * SPIKE_BUCKET_MS[searched.interval];
    const filter = { created_after: new Date(earliest).toISOString() };
    return outermostTime(this.searches, { ...searched, filter }, 'asc');
  }

  private async series(searched: Searched, from: Date, to: Date): Promise<BucketRow[]> {
    const { filter, interval, timezone } = searched;
    const buckets = await this.searches.timeSeries({
      ...searched,
      filter: { ...filter, ...periodOf(from, to) },
      interval,
      timezone,
      splitBy: null,
    });
    if (buckets.length > MAX_BUCKETS)
      throw Problem.validation([
        {
          field: 'created_after',
          message: `created_after gives more than ${MAX_BUCKETS} buckets of one ${interval}. Choose a shorter period.`,
        },
      ]);
    return buckets;
  }

  /** A spike with its keywords and posts. */
  private async explain(searched: Searched, spike: Spike): Promise<SpikeDto> {
    const request = { ...searched, filter: { ...searched.filter, ...periodOf(spike.start, spike.end) } };
    return {
      start: spike.start,
      end: spike.end,
      count: sum(spike.values),
      expected: rounded(sum(spike.expected)),
      score: rounded(spike.score),
      top_keywords: searched.of === 'posts' ? await this.keywords(request, spike) : [],
      top_posts: await this.discussed(request),
    };
  }

  private async keywords(
    request: Searched,
    { start, end, values }: Spike,
  ): Promise<SpikeDto['top_keywords']> {
    const length = end.getTime() - start.getTime();
    const previous = { ...request.filter, ...periodOf(new Date(start.getTime() - length), start) };
    const rows = await this.searches.keywords({ ...request, limit: COMPARED_KEYWORDS });
    const previousRows = await this.searches.count({ ...request, filter: previous });
    const compared = rows.map(({ keyword, count, previousCount }) => ({
      keyword,
      count,
      previousCount: previousCount ?? 0,
    }));
    return significantKeywords(compared, sum(values), previousRows, SHOWN_KEYWORDS).map(
      ({ keyword, count }) => ({ keyword, count }),
    );
  }

  private async discussed(request: Searched): Promise<SpikePostDto[]> {
    const page = <Row extends object>(property: string, sort: string, limit: number) =>
      this.searches.page<Row>({
        ...request,
        columns: selectList([property]),
        order: { sort_by: sort, sort_order: 'desc' },
        after: null,
        limit,
      });
    const ids =
      request.of === 'posts'
        ? (await page<{ id: string }>('id', 'num_comments', SHOWN_POSTS)).rows.map(({ id }) => id)
        : mostFrequent(
            (await page<{ postId: string }>('postId', 'score', COMPARED_COMMENTS)).rows.map(
              ({ postId }) => postId,
            ),
          ).slice(0, SHOWN_POSTS);
    const posts = await this.posts.findMany(request.workspaceId, ids);
    return ids.flatMap((id) => {
      const post = posts.get(id);
      return post === undefined ? [] : [toSpikePost(post)];
    });
  }
}

const toSpikePost = (post: PostRecord): SpikePostDto => ({
  id: post.id,
  title: post.title,
  forum: post.forum,
  author: post.author,
  created_utc: post.createdUtc,
  permalink: post.permalink,
  score: post.score,
  num_comments: post.numComments,
});

const dateOf = (time: string | undefined): Date | null => (time === undefined ? null : new Date(time));

const periodOf = (from: Date, to: Date): { created_after: string; created_before: string } => ({
  created_after: from.toISOString(),
  created_before: to.toISOString(),
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Two decimals. */
const rounded = (value: number): number => Number(value.toFixed(2));

/** Each value once, most frequent first; ties in the order of their first appearance. */
function mostFrequent(values: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([value]) => value);
}
