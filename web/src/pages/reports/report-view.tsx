import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PostLink } from '../../components/post-link.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { Time } from '../../components/time.tsx';
import { formatDayIn, formatNumber, formatPercent, formatSigned } from '../../format.ts';
import { reportsTexts } from '../../texts/reports.ts';
import { searchTexts } from '../../texts/search.ts';
import type { ReportContent } from './reports.ts';

const texts = reportsTexts;
const words = reportsTexts.content;
const number = 'py-1.5 pl-3 text-right tabular-nums';

/** A report as it is sent: texts of strangers are plain texts in it. */
export function ReportView({ content }: { content: ReportContent }) {
  const { timezone, period, previous, summary, unchanged, lines, new_stories, to_answer, not_read } = content;
  return (
    <div className="space-y-4 text-sm [overflow-wrap:anywhere]">
      <div>
        <p className="text-[13px] text-muted">
          {texts.period(...daysOf(period, timezone))}, {texts.compared(...daysOf(previous, timezone))}
        </p>
        <p className="mt-1 font-medium">{unchanged ? texts.unchanged : summary}</p>
      </div>
      <Part title={words.lines}>
        <Lines lines={lines} />
      </Part>
      <Trend content={content} />
      <Part title={words.stories} empty={new_stories.length === 0 && words.noStories}>
        <ul className="space-y-1">
          {new_stories.map(({ id, title, size }) => (
            <li key={id}>
              <Link to="/stories/$storyId" params={{ storyId: id }} dir="auto" className="text-accent">
                {title}
              </Link>{' '}
              <span className="text-muted">{words.posts(formatNumber(size))}</span>
            </li>
          ))}
        </ul>
      </Part>
      <Part title={words.toAnswer} empty={to_answer.length === 0 && words.noAnswers}>
        <ol className="space-y-2">
          {to_answer.map((post) => (
            <li key={post.post_id}>
              <PostLink postId={post.post_id}>
                <span dir="auto">{post.title}</span>
              </PostLink>
              <p className="text-[13px] text-muted">
                {post.forum} · {searchTexts.by} {post.author} · <Time at={post.created_utc} />
                {post.reasons.length > 0 && ` · ${post.reasons.join(', ')}`}
              </p>
            </li>
          ))}
        </ol>
      </Part>
      {not_read.length > 0 && (
        <Part title={words.notRead}>
          <ul className="text-warn">
            {not_read.map(({ source, reason }) => (
              <li key={`${source} ${reason}`}>
                {source}: {reason}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </div>
  );
}

/** The first and the last day of a period; `to` is the first instant after it. */
const daysOf = ({ from, to }: ReportContent['period'], timezone: string): [string, string] => [
  formatDayIn(timezone, new Date(from)),
  formatDayIn(timezone, new Date(Date.parse(to) - 1)),
];

function Part({
  title,
  empty = false,
  children,
}: {
  title: string;
  empty?: string | false;
  children: ReactNode;
}) {
  return (
    <section>
      <h3 className="mb-1 text-[13px] font-semibold text-muted">{title}</h3>
      {empty === false ? children : <p className="text-muted">{empty}</p>}
    </section>
  );
}

/** The volume of each line, its change, its share of voice with its interval, and its mean sentiment. */
function Lines({ lines }: Pick<ReportContent, 'lines'>) {
  return (
    <table className="w-full text-left">
      <thead className="text-[13px] text-muted [overflow-wrap:normal]">
        <tr className="border-b border-line">
          <th className="py-1.5 font-medium">{words.name}</th>
          <th className="py-1.5 pl-3 text-right font-medium">{words.volume}</th>
          <th className="py-1.5 pl-3 text-right font-medium">{words.change}</th>
          {lines.length > 1 && <th className="py-1.5 pl-3 text-right font-medium">{words.share}</th>}
          <th className="py-1.5 pl-3 text-right font-medium max-sm:hidden">{words.sentiment}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ alert_id, search_id, name, volume, mean_sentiment, share_of_voice: voice }) => (
          <tr key={alert_id ?? search_id} className="border-b border-line last:border-0">
            <td className="py-1.5">{name}</td>
            <td className={number}>{formatNumber(volume.current)}</td>
            <td className={number}>{formatSigned(volume.change)}</td>
            {lines.length > 1 && (
              <td
                className={number}
                title={
                  voice === null
                    ? undefined
                    : words.between(formatPercent(voice.low), formatPercent(voice.high))
                }
              >
                {voice === null ? '–' : formatPercent(voice.share)}
              </td>
            )}
            <td className={`${number} max-sm:hidden`}>
              {mean_sentiment.current === null ? '–' : formatSigned(mean_sentiment.current)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The volume of all lines over the period as bars, with the highest in words; nothing while there is none. */
function Trend({ content: { trend, timezone, every } }: { content: ReportContent }) {
  const [first, ...rest] = trend;
  if (first === undefined) return null;
  const peak = rest.reduce((most, one) => (one.volume > most.volume ? one : most), first);
  if (peak.volume === 0) return null;
  return (
    <Part title={words.trend}>
      <Sparkline values={trend.map(({ volume }) => volume)} />
      <p className="mt-1 text-[13px] text-muted">
        {words.peak(formatNumber(peak.volume), formatDayIn(timezone, new Date(peak.start), every === 'day'))}
      </p>
    </Part>
  );
}
