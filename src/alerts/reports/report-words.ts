import type { ReportContentDto, ReportLineDto, ReportPostDto } from './report-content.dto.js';

/** Names of sources in a sentence; further ones are counted. */
const MAX_NAMED = 5;

const number = (value: number): string => value.toLocaleString('en-US');
const percent = (share: number): string => `${Math.round(100 * share)} %`;
const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text.replace('-', '−'));
const sentiment = (mean: number): string => signed(mean, mean.toFixed(2));

/** A number with its noun. */
export const countOf = (count: number, noun: string, plural = `${noun}s`): string =>
  `${number(count)} ${count === 1 ? noun : plural}`;

/** The days of the period in its time zone, for example `1 – 30 November 2026`. */
export function datesOf({ period, timezone }: Pick<ReportContentDto, 'period' | 'timezone'>): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: timezone });
  const text = format.formatRange(new Date(period.from), new Date(new Date(period.to).getTime() - 1));
  return text.replace(/\s+/gu, ' ');
}

type Summarized = Pick<ReportContentDto, 'lines' | 'new_stories' | 'to_answer' | 'not_read' | 'unchanged'>;

/** A report in one or two sentences. */
export function summaryOf({ lines, new_stories, to_answer, not_read, unchanged }: Summarized): string {
  const sum = (key: 'current' | 'previous'): number =>
    lines.reduce((total, { volume }) => total + volume[key], 0);
  const mentions = sum('current') === 0 ? 'no mentions' : countOf(sum('current'), 'mention');
  const sentence = unchanged
    ? `Nothing changed: ${mentions}, as in the period before.`
    : `${[
        `${mentions}, ${changeOf(sum('current'), sum('previous'))}`,
        ...(new_stories.length > 0 ? [countOf(new_stories.length, 'new story', 'new stories')] : []),
        ...(to_answer.length > 0 ? [`${to_answer.length} to answer`] : []),
      ].join('; ')}.`;
  const first = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return not_read.length === 0 ? first : `${first} Not read: ${namesOf(not_read)}.`;
}

/** The figures of a line in words. */
export function lineWords({ volume, mean_sentiment: mean, share_of_voice: voice }: ReportLineDto): string {
  return [
    `${countOf(volume.current, 'mention')} (${changeOf(volume.current, volume.previous)})`,
    ...(mean.current === null
      ? []
      : [
          `sentiment ${sentiment(mean.current)}${mean.change === null ? '' : ` (${sentiment(mean.change)})`}`,
        ]),
    ...(voice === null
      ? []
      : [`${percent(voice.share)} of voice (${percent(voice.low)} to ${percent(voice.high)})`]),
  ].join(' · ');
}

/** Where a post is from. */
export const postWords = ({ forum, author }: Pick<ReportPostDto, 'forum' | 'author'>): string =>
  `${forum} · ${author}`;

function changeOf(current: number, previous: number): string {
  if (current === previous) return 'as many as before';
  if (previous === 0) return 'none before';
  const change = (current - previous) / previous;
  return `${number(previous)} before, ${signed(change, percent(change))}`;
}

function namesOf(sources: readonly { source: string }[]): string {
  const names = sources.slice(0, MAX_NAMED).map(({ source }) => source);
  const more = sources.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
