import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sourceName } from '../../api/original.ts';
import { Panel } from '../../components/page.tsx';
import { SpikeEntry } from '../../components/spike-entry.tsx';
import { Loading } from '../../components/states.tsx';
import { type Bucket, formatDay, formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { searchOf } from '../search/search-record.ts';
import type { TrendEvent } from './trend-events.ts';
import { hasSpikes, type Marked } from './use-events.ts';

const words = trendsTexts.events;

/** What the chart marks, with the numbers of the marks. */
export function Events({
  marked: { events, isPending, hasFailed },
  interval,
}: {
  marked: Marked;
  interval: Bucket | undefined;
}) {
  const names = new Set(events.flatMap((event) => (event.kind === 'spike' ? [nameOf(event)] : [])));
  return (
    <Panel
      title={words.title}
      actions={
        <Link to="/stories" className="text-[13px] text-accent no-underline hover:underline">
          {words.allStories}
        </Link>
      }
    >
      <ul className="space-y-3">
        {events.map((event) =>
          event.kind === 'spike' ? (
            <Spike key={keyOf(event)} event={event} isNamed={names.size > 1} />
          ) : (
            <StoryEntry key={event.story.id} event={event} />
          ),
        )}
      </ul>
      {events.length === 0 && isPending && <Loading rows={3} />}
      {!isPending && (events.length === 0 || hasFailed) && (
        <p className="text-[13px] text-muted">
          {hasFailed ? words.failed : hasSpikes(interval) ? words.none : words.noStory}
        </p>
      )}
    </Panel>
  );
}

type SpikeEvent = Extract<TrendEvent, { kind: 'spike' }>;

const keyOf = ({ asked: { q, of }, spike }: SpikeEvent): string => `${of} ${spike.start} ${q}`;

/** What a spike is of, beside those of other lines. */
const nameOf = ({ asked: { q, of } }: SpikeEvent): string => (q === '' ? searchTexts.of[of] : q);

/** The number of an event as the chart has it: round for a spike, square for a story. */
function EventMark({ number, kind }: Pick<TrendEvent, 'number' | 'kind'>) {
  const look = kind === 'spike' ? 'rounded-full border-warn text-warn' : 'rounded border-muted text-muted';
  return (
    <span className={`mr-2 inline-grid size-4.5 place-items-center border text-[11px] font-semibold ${look}`}>
      {number}
    </span>
  );
}

const Kind = ({ children }: { children: ReactNode }) => <span className="mr-1 text-muted">{children}:</span>;

function Spike({ event, isNamed }: { event: SpikeEvent; isNamed: boolean }) {
  const { number, asked, spike } = event;
  return (
    <SpikeEntry
      spike={spike}
      search={searchOf({
        of: asked.of,
        ...(asked.q !== '' && { q: asked.q }),
        filters: { created_after: spike.start, created_before: spike.end },
      })}
      mark={
        <>
          <EventMark number={number} kind="spike" />
          <Kind>{isNamed ? words.spikeOf(nameOf(event)) : words.spike}</Kind>
        </>
      }
    />
  );
}

function StoryEntry({ event: { number, story } }: { event: Extract<TrendEvent, { kind: 'story' }> }) {
  const [first, last] = [story.first_at, story.last_at].map((time) => formatDay(new Date(time)));
  return (
    <li className="text-[13px] [overflow-wrap:anywhere]">
      <p>
        <EventMark number={number} kind="story" />
        <Kind>{words.story}</Kind>
        <Link
          to="/stories/$storyId"
          params={{ storyId: story.id }}
          dir="auto"
          className="font-medium text-accent no-underline hover:underline"
        >
          {story.title}
        </Link>
      </p>
      <p className="text-muted">
        {[
          first === last ? first : `${first} – ${last}`,
          words.texts(formatNumber(story.size)),
          story.sources.map(sourceName).join(', '),
        ].join(' · ')}
      </p>
    </li>
  );
}
