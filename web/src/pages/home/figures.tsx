import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { Card } from '../../components/card.tsx';
import { newestMatchesQuery } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { formatNumber, formatPercent, formatSigned } from '../../format.ts';
import { homeTexts } from '../../texts/home.ts';
import { type DayFigures, meanSentiment } from './day-figures.ts';
import { countsSinceQuery, dayQuery } from './home-queries.ts';

const words = homeTexts;
const bigNumber = 'text-2xl font-semibold tracking-tight text-ink tabular-nums no-underline hover:underline';
/** Differences of mean sentiment below this are noise. */
const SENTIMENT_STEP = 0.01;

/** The numbers of the last 24 hours against the 24 before, and since the last visit; each leads to its list. */
export function HomeFigures({ lastVisit }: { lastVisit: Date | null }) {
  const { workspace_id } = useSession();
  const posts = useQuery(dayQuery(workspace_id, 'posts')).data;
  const comments = useQuery(dayQuery(workspace_id, 'comments')).data;
  const since = useQuery(countsSinceQuery(workspace_id, lastVisit)).data;
  const days = { posts, comments };
  return (
    <div className="mb-4 grid grid-cols-2 gap-3 xl:grid-cols-4">
      {KINDS.lists.subjects.map((of) => (
        <CountTile key={of} of={of} day={days[of]} lastVisit={lastVisit} since={since?.[of]} />
      ))}
      <SentimentTile days={[posts, comments]} />
      <MentionsTile />
    </div>
  );
}

/** The posts or comments of the day, by the hour, and since the last visit. */
function CountTile({
  of,
  day,
  lastVisit,
  since,
}: {
  of: 'posts' | 'comments';
  day: (DayFigures & { since: string }) | undefined;
  lastVisit: Date | null;
  since: number | undefined;
}) {
  const search = of === 'comments' ? { of } : {};
  return (
    <Tile title={words[of]}>
      <p className="flex items-baseline gap-2">
        {day && (
          <>
            <Link to="/search" search={{ ...search, q: `after:${day.since}` }} className={bigNumber}>
              {formatNumber(day.count)}
            </Link>
            <Change now={day.count} before={day.previousCount} />
          </>
        )}
      </p>
      {day && <Sparkline values={day.hours} />}
      {since !== undefined && lastVisit && (
        <Link
          to="/search"
          search={{ ...search, q: `after:${lastVisit.toISOString()}` }}
          className="text-[13px] text-accent no-underline hover:underline"
        >
          {words.sinceVisit(formatNumber(since))}
        </Link>
      )}
    </Tile>
  );
}

function SentimentTile({ days: [posts, comments] }: { days: [DayFigures?, DayFigures?] }) {
  const [sentiment, earlier] = posts && comments ? meanSentiment([posts, comments]) : [null, null];
  return (
    <Tile title={words.sentiment}>
      <p className="flex items-baseline gap-2">
        <Link to="/trends" search={{ period: '1', measure: 'sentiment' }} className={bigNumber}>
          {sentiment === null ? '–' : formatSigned(sentiment)}
        </Link>
        {sentiment !== null && earlier !== null && <SentimentChange now={sentiment} before={earlier} />}
      </p>
      <p className="text-[13px] text-muted">
        {sentiment === null
          ? words.noTexts
          : earlier === null
            ? words.inDay
            : words.before(formatSigned(earlier))}
      </p>
    </Tile>
  );
}

function MentionsTile() {
  const mentions = useQuery(newestMatchesQuery(useSession().workspace_id)).data?.counts;
  return (
    <Tile title={words.mentions}>
      <p>
        <Link to="/mentions" className={`${bigNumber} ${mentions?.new ? 'text-fresh!' : ''}`}>
          {mentions ? formatNumber(mentions.new) : ''}
        </Link>
      </p>
      {mentions && (
        <Link
          to="/mentions"
          search={{ state: 'kept' }}
          className="text-[13px] text-accent no-underline hover:underline"
        >
          {words.kept(formatNumber(mentions.kept))}
        </Link>
      )}
    </Tile>
  );
}

function Tile({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card
      as="section"
      aria-label={title}
      className="flex min-h-38 min-w-0 flex-col gap-1.5 *:last:mt-auto p-3 sm:p-4"
    >
      <h2 className="text-[13px] font-medium text-muted">{title}</h2>
      {children}
    </Card>
  );
}

/** How much a count changed, as a percentage of the one before. */
function Change({ now, before }: { now: number; before: number }) {
  const meaning = words.before(formatNumber(before));
  if (before === 0) return <span className="text-[13px] text-muted">{words.inDay}</span>;
  const share = (now - before) / before;
  return (
    <span className="text-[13px] text-muted tabular-nums" title={meaning}>
      <span aria-hidden="true">{share > 0 ? '▲' : share < 0 ? '▼' : ''}</span>{' '}
      {share === 0 ? words.unchanged : formatPercent(Math.abs(share))}
      <span className="sr-only"> ({meaning})</span>
    </span>
  );
}

function SentimentChange({ now, before }: { now: number; before: number }) {
  const change = now - before;
  if (Math.abs(change) < SENTIMENT_STEP)
    return <span className="text-[13px] text-muted">{words.unchanged}</span>;
  return (
    <span className={`text-[13px] tabular-nums ${change > 0 ? 'text-positive' : 'text-negative'}`}>
      <span aria-hidden="true">{change > 0 ? '▲' : '▼'}</span> {formatSigned(change)}
    </span>
  );
}
