import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../common/clock.js';
import { AnalyticsService } from '../../content/analytics/analytics.service.js';
import { SUBJECTS } from '../../content/analytics/dto/analytics.dto.js';
import type { SharedTrendDto } from './pinned-trend.dto.js';
import type { Trend } from './pinned-trend.entity.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Kept series are at most this old. */
const FRESH_MS = 60_000;
/** Memory for kept series, in characters of their JSON. */
const MAX_KEPT = 50_000_000;

/** The series of a trend in the period that ends with the present hour. */
export type ReadTrend = Pick<SharedTrendDto, 'created_after' | 'created_before' | 'series'>;

/** Counts what the charts of trends show. */
@Injectable()
export class TrendSeries {
  private readonly kept = new LRUCache<string, ReadTrend, [string, Trend, string]>({
    maxSize: MAX_KEPT,
    sizeCalculation: (read) => JSON.stringify(read).length,
    ttl: FRESH_MS,
    fetchMethod: (_key, _stale, { context }) => this.read(...context),
  });

  constructor(
    private readonly analytics: AnalyticsService,
    private readonly clock: Clock,
  ) {}

  /** Throws 400 for a split or an interval that the trend cannot have, and for an unknown time zone. */
  async read(workspaceId: string, trend: Trend, timezone: string): Promise<ReadTrend> {
    const { of, period, interval, split_by: split } = trend;
    const end = Math.ceil(this.clock.now().getTime() / HOUR_MS) * HOUR_MS;
    const days = period === 'all' ? null : Number(period);
    const [from, to] = days === null ? [null, null] : [new Date(end - days * DAY_MS), new Date(end)];
    const queries = trend.queries.length === 0 ? [undefined] : trend.queries;
    const lines = queries.flatMap((q) =>
      (split === 'of' ? SUBJECTS : [of]).map((subject) => ({ q, subject })),
    );
    const series = await Promise.all(
      lines.map(({ q, subject }) =>
        this.analytics.timeSeries(workspaceId, {
          of: subject,
          interval,
          timezone,
          ...(q !== undefined && { q }),
          ...(split !== undefined && split !== 'of' && { split_by: split }),
          ...(from !== null && { created_after: from.toISOString(), created_before: to.toISOString() }),
        }),
      ),
    );
    return { created_after: from, created_before: to, series };
  }

  /** Like {@link read}, at most a minute old: many readers cost one search a minute. */
  async readKept(workspaceId: string, trend: Trend, timezone: string): Promise<ReadTrend> {
    const context: [string, Trend, string] = [workspaceId, trend, timezone];
    return (await this.kept.fetch(JSON.stringify(context), { context }))!;
  }
}
