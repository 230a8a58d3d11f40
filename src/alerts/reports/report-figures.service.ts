import { Injectable } from '@nestjs/common';
import { publicId } from '../../common/ids.js';
import { Problem } from '../../http/problems/problem.js';
import type { BucketDto, TimeSeriesQueryDto } from '../../content/analytics/dto/analytics.dto.js';
import { AnalyticsService } from '../../content/analytics/analytics.service.js';
import { type FoundStory, StoriesService } from '../../content/stories/stories.service.js';
import { ReportInputs } from '../../tenants/ports/report-inputs.js';
import type { Alert } from '../alert/alert.entity.js';
import { watches } from '../alert/alert-scope.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { queryOf } from '../conditions/spike-condition.js';
import { PostsToAnswer } from './posts-to-answer.js';
import type { NotReadDto, ReportContentDto, ReportStoryDto, ReportTimesDto } from './report-content.dto.js';
import { type LineFigures, reportOf, together } from './report-of.js';
import { periodsBefore, type ReportPlan } from './report-period.js';

/** What a report is about. Ids are bare; those of deleted alerts and searches are named among what was not read. */
export interface ReportScope extends Omit<ReportPlan, 'at'> {
  name: string;
  alertIds: readonly string[];
  searchIds: readonly string[];
}

/** An alert or saved search that is counted. */
type Subject = Pick<LineFigures, 'alertId' | 'searchId' | 'name' | 'of' | 'filters'>;

type Periods = Record<'period' | 'previous', ReportTimesDto>;

/** Most new stories of a report, and lines in which they are looked for: each line reads up to 10,000 posts. */
const MOST_STORIES = 5;
const MOST_READ_LINES = 10;

/** Counts what reports are made of, by the service that answers `/analytics`. */
@Injectable()
export class ReportFiguresService {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly analytics: AnalyticsService,
    private readonly answers: PostsToAnswer,
    private readonly stories: StoriesService,
    private readonly inputs: ReportInputs,
  ) {}

  /** The report of the last period that is over at `now`. */
  async content(workspaceId: string, about: ReportScope, now: Date): Promise<ReportContentDto> {
    const { name, every, timezone } = about;
    const periods = periodsBefore(about, now.getTime());
    const alerts = await this.alerts.findAll(workspaceId, about.alertIds);
    const { subjects, missing } = await this.subjects(workspaceId, about, alerts);
    const lines: LineFigures[] = [];
    const notRead: NotReadDto[] = missing;
    const trend = new Map<number, number>();
    for (const subject of subjects)
      try {
        const { line, buckets } = await this.count(workspaceId, subject, about, periods);
        lines.push(line);
        for (const { start, count } of buckets)
          trend.set(start.getTime(), (trend.get(start.getTime()) ?? 0) + count);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        notRead.push({ source: subject.name, reason: `It could not be counted: ${error.message}` });
      }
    const { from, to } = periods.period;
    return reportOf({
      name,
      every,
      timezone,
      ...periods,
      lines,
      trend: [...trend.entries()]
        .sort(([a], [b]) => a - b)
        .map(([start, volume]) => ({ start: new Date(start), volume })),
      new_stories: await this.newStories(workspaceId, lines, periods),
      to_answer: await this.answers.find(workspaceId, alerts, periods.period),
      not_read: [...notRead, ...(await this.inputs.unread(workspaceId, from, to))],
    });
  }

  /** The largest stories that began in the period. */
  private async newStories(
    workspaceId: string,
    lines: readonly LineFigures[],
    periods: Periods,
  ): Promise<ReportStoryDto[]> {
    const found = new Map<string, FoundStory>();
    for (const { of, filters } of lines.slice(0, MOST_READ_LINES)) {
      if (!watches(of, 'posts')) continue;
      const request = { of: 'posts' as const, filter: within(filters, periods) };
      const { period } = periods;
      for (const story of await this.stories.newStories(workspaceId, request, period, MOST_STORIES))
        found.set(story.records[0]!, found.get(story.records[0]!) ?? story);
    }
    return [...found.values()]
      .sort((a, b) => b.size - a.size)
      .slice(0, MOST_STORIES)
      .map(({ id, title, size, firstAt, records }) => ({
        id: publicId('story', id),
        post_id: records[0]!,
        title,
        size,
        first_at: firstAt,
      }));
  }

  private async subjects(
    workspaceId: string,
    { alertIds, searchIds }: ReportScope,
    alerts: readonly Alert[],
  ): Promise<{ subjects: Subject[]; missing: NotReadDto[] }> {
    const searches = await this.inputs.searches(workspaceId, searchIds);
    const found = new Map<string, Subject>([
      ...alerts.map((alert) => [alert.id, subjectOf(alert)] as const),
      ...searches.map(
        ({ id, ...search }) => [id, { ...search, alertId: null, searchId: publicId('search', id) }] as const,
      ),
    ]);
    const missing = (kind: 'alert' | 'search', ids: readonly string[]): NotReadDto[] =>
      ids
        .filter((id) => !found.has(id))
        .map((id) => ({ source: publicId(kind, id), reason: 'It was deleted.' }));
    return {
      subjects: [...alertIds, ...searchIds].flatMap((id) => found.get(id) ?? []),
      missing: [...missing('alert', alertIds), ...missing('search', searchIds)],
    };
  }

  /** The figures of both periods, and the buckets of the trend. Throws a problem as analytics do. */
  private async count(
    workspaceId: string,
    subject: Subject,
    { every, weekday, timezone }: ReportScope,
    periods: Periods,
  ): Promise<{ line: LineFigures; buckets: BucketDto[] }> {
    const kinds = (['posts', 'comments'] as const).filter((kind) => watches(subject.of, kind));
    const read = async (interval: NonNullable<TimeSeriesQueryDto['interval']>): Promise<BucketDto[]> => {
      const filters = within(subject.filters, periods);
      const series = kinds.map((of) =>
        this.analytics.timeSeries(workspaceId, { ...filters, of, interval, timezone }),
      );
      return (await Promise.all(series)).flatMap(({ buckets }) => buckets);
    };
    const buckets = await read(every === 'day' ? 'hour' : 'day');
    // Weeks of analytics begin on Monday. One bucket has the mean of its period, without a sum of rounded means.
    const isWhole = every !== 'week' || weekday === 'monday';
    const figures = isWhole ? await read(every) : buckets;
    const sumOf = (isCurrent: boolean) =>
      together(
        figures
          .filter(({ start }) => start >= periods.period.from === isCurrent)
          .map(({ count, mean_sentiment }) => ({ volume: count, sentiment: mean_sentiment })),
      );
    return { line: { ...subject, current: sumOf(true), previous: sumOf(false) }, buckets };
  }
}

function subjectOf(alert: Alert): Subject {
  const { id, name, of, forums } = alert;
  const filters = {
    q: queryOf({ ...alert, forums: [] }),
    ...(forums.length > 0 && { forum: forums }),
  };
  return { alertId: publicId('alert', id), searchId: null, name, of, filters };
}

/** Filters that select both periods, and no more than before. */
function within(filters: Record<string, unknown>, { previous, period }: Periods): Record<string, unknown> {
  const { created_after: after, created_before: before } = filters;
  const times = (time: unknown): number[] => (typeof time === 'string' ? [Date.parse(time)] : []);
  return {
    ...filters,
    created_after: new Date(Math.max(previous.from.getTime(), ...times(after))).toISOString(),
    created_before: new Date(Math.min(period.to.getTime(), ...times(before))).toISOString(),
  };
}
