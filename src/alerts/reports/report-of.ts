import { shareInterval } from '../../common/probability.js';
import type { AlertScope } from '../alert/alert-scope.js';
import type { ReportContentDto, ReportLineDto, ShareOfVoiceDto } from './report-content.dto.js';
import { summaryOf } from './report-words.js';

/** Number of decimals of a mean, as in analytics. */
const MEAN_DECIMALS = 6;

/** What analytics answer for one period. */
export interface PeriodFigures {
  volume: number;
  /** Null without posts and comments. */
  sentiment: number | null;
}

/** The figures of one alert or saved search; one of both ids is null. */
export interface LineFigures {
  alertId: string | null;
  searchId: string | null;
  name: string;
  of: AlertScope;
  filters: Record<string, unknown>;
  current: PeriodFigures;
  previous: PeriodFigures;
}

/** All that a report is made of. */
export interface ReportFigures extends Omit<ReportContentDto, 'lines' | 'summary' | 'unchanged'> {
  lines: readonly LineFigures[];
}

/** The figures of several parts together: the sum, and the mean weighted by volume. */
export function together(parts: readonly PeriodFigures[]): PeriodFigures {
  const volume = parts.reduce((sum, part) => sum + part.volume, 0);
  const total = parts.reduce((sum, part) => sum + part.volume * (part.sentiment ?? 0), 0);
  return { volume, sentiment: volume === 0 ? null : rounded(total / volume) };
}

/** The report of figures: changes, shares of voice and a summary. */
export function reportOf({ lines: figures, ...rest }: ReportFigures): ReportContentDto {
  const total = figures.reduce((sum, { current }) => sum + current.volume, 0);
  const lines = figures.map((line) => lineOf(line, total));
  const unchanged =
    rest.new_stories.length === 0 &&
    rest.to_answer.length === 0 &&
    lines.every(({ volume, mean_sentiment: mean }) => volume.change === 0 && mean.current === mean.previous);
  return { ...rest, lines, unchanged, summary: summaryOf({ ...rest, lines, unchanged }) };
}

function lineOf({ current, previous, ...line }: LineFigures, total: number): ReportLineDto {
  const [mean, before] = [current.sentiment, previous.sentiment];
  return {
    alert_id: line.alertId,
    search_id: line.searchId,
    name: line.name,
    of: line.of,
    filters: line.filters,
    volume: {
      current: current.volume,
      previous: previous.volume,
      change: current.volume - previous.volume,
    },
    mean_sentiment: {
      current: mean,
      previous: before,
      change: mean === null || before === null ? null : rounded(mean - before),
    },
    share_of_voice: total === 0 ? null : shareOf(current.volume, total),
  };
}

const shareOf = (count: number, total: number): ShareOfVoiceDto => ({
  share: count / total,
  ...shareInterval(count, total),
});

const rounded = (mean: number): number => Number(mean.toFixed(MEAN_DECIMALS));
