import { Problem } from '../../http/problems/problem.js';
import type { Subject } from '../../content/analytics/dto/analytics.dto.js';
import { SPIKE_BUCKET_MS } from '../../content/analytics/spike-series.js';
import type { WatchedSeries } from '../../content/analytics/spikes.service.js';
import { MAX_QUERY_LENGTH } from '../../search/query/parse-query.js';
import type { Alert } from '../alert/alert.entity.js';
import { releaseTime } from '../alert/release-time.js';
import { watches } from '../alert/alert-scope.js';
import type { SpikeSettings, AlertSpike } from '../alert/spike-settings.js';
import type { ReadingState } from './watched-alerts.repository.js';

/** Time after the end of a bucket until it is read, so that records of its last minutes are stored. */
const GRACE_MS = 5 * 60_000;

type Watching = Pick<Alert, 'keywords' | 'query' | 'forums' | 'of' | 'delivery'>;

/** The search that counts an alert's matches. Keywords of several words are counted in these forms. */
export function queryOf({
  keywords,
  query,
  forums,
}: Pick<Watching, 'keywords' | 'query' | 'forums'>): string {
  const plain = (text: string): string => text.replaceAll('"', ' ').trim();
  const words = keywords.map((keyword) =>
    /^[\p{L}\p{N}]+$/u.test(keyword) ? keyword : `"${plain(keyword)}"`,
  );
  const any = [...words, ...(query === null ? [] : [`(${query})`])].join(' OR ');
  if (forums.length === 0) return any;
  return `(${any}) (${forums.map((forum) => `forum:"${plain(forum)}"`).join(' OR ')})`;
}

/** Throws 400 for an alert on spikes or stories whose keywords, query and forums are too long for one search. */
export function refuseSeries(alert: Watching & Pick<Alert, 'spike' | 'story'>): void {
  const isSearched = alert.spike !== null || alert.story !== null;
  if (!isSearched || queryOf(alert).length <= MAX_QUERY_LENGTH) return;
  throw Problem.validation([
    {
      field: 'condition',
      message: `keywords, query and forums of an alert on spikes or stories must have at most ${MAX_QUERY_LENGTH} characters together`,
    },
  ]);
}

/** The series of an alert on spikes. */
export function seriesOf(alert: Watching & { spike: SpikeSettings }): WatchedSeries {
  const subjects = (['posts', 'comments'] as const satisfies readonly Subject[]).filter((kind) =>
    watches(alert.of, kind),
  );
  return { ...alert.spike, subjects, q: queryOf(alert), timezone: alert.delivery?.timezone ?? 'UTC' };
}

/** When the series is read next, after `now`: shortly after the current hour or day of its zone ends. */
export function nextReading({ spike, delivery }: Pick<Alert, 'spike' | 'delivery'>, now: Date): Date {
  const plan = {
    every: spike?.interval ?? 'hour',
    at: '00:00',
    weekday: 'monday' as const,
    timezone: delivery?.timezone ?? 'UTC',
    quiet: null,
    max_per_hour: null,
  };
  return new Date(releaseTime(plan, now.getTime(), false)! + GRACE_MS);
}

/** The end of the last bucket that may be read at `now`. */
export const readableUntil = (now: Date): Date => new Date(now.getTime() - GRACE_MS);

/**
 * When an alert that is created or changed is read: a series from the bucket that is not over on, stories at once, so
 * that those that there are already are known.
 */
export function startOfReading(
  alert: Pick<Alert, 'spike' | 'story' | 'delivery' | 'isActive'>,
  now: Date,
): ReadingState {
  const { isActive, spike, story } = alert;
  // Times that the former plan of delivery allotted say nothing about the new one.
  const begun = { sentHour: null, spikeReadUntil: now };
  if (isActive && story !== null) return { ...begun, spikeDueAt: now, story: { known: null } };
  if (spike === null || !isActive) return { spikeDueAt: null, spikeReadUntil: null };
  return {
    ...begun,
    spikeDueAt: nextReading(alert, now),
    spikeReadUntil: new Date(now.getTime() - SPIKE_BUCKET_MS[spike.interval]),
  };
}

/** A spike in one sentence, for example `96 in one hour, 14 expected`. */
export function spikeSentence({ measure, interval, count, mean_sentiment, expected }: AlertSpike): string {
  const value = measure === 'count' ? String(count) : `mean sentiment ${mean_sentiment ?? 0}`;
  return `${value} in one ${interval}, ${expected} expected`;
}
