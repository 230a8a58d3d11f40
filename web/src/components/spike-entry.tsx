import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { bucketOf, formatNumber } from '../format.ts';
import type { SearchState } from '../pages/search/search-state.ts';
import { spikesTexts } from '../texts/spikes.ts';
import { distinctKeywords } from './distinct-keywords.ts';
import { PostLink } from './post-link.tsx';

const words = spikesTexts;
const SHOWN_KEYWORDS = 4;

type Spike = Pick<Schemas['SpikeDto'], 'start' | 'end' | 'count' | 'expected' | 'top_keywords' | 'top_posts'>;

/** How much was written instead of the usual, in words. */
export const spikeText = ({ count, expected }: Spike): string =>
  words.count(formatNumber(count), formatNumber(Math.round(expected)));

/** The keywords that a spike is about. */
export const spikeKeywords = ({ top_keywords }: Spike): string =>
  distinctKeywords(top_keywords)
    .slice(0, SHOWN_KEYWORDS)
    .map(({ keyword }) => keyword)
    .join(', ');

/** A spike in a list: how much, when, what about, and its most discussed post. */
export function SpikeEntry({
  spike,
  search,
  mark,
}: {
  spike: Spike;
  /** The search that finds its posts or comments. */
  search: SearchState;
  mark?: ReactNode;
}) {
  const keywords = spikeKeywords(spike);
  const [post] = spike.top_posts;
  return (
    <li className="text-[13px] [overflow-wrap:anywhere]">
      <p>
        {mark}
        <Link to="/search" search={search} className="font-medium text-accent no-underline hover:underline">
          {spikeText(spike)}
        </Link>{' '}
        <span className="text-muted">{words.at(spike.start, bucketOf(spike.start, spike.end))}</span>
      </p>
      {keywords !== '' && <p className="text-muted">{keywords}</p>}
      {post !== undefined && (
        <PostLink postId={post.id} className="line-clamp-1 text-ink no-underline hover:underline">
          {post.title}
        </PostLink>
      )}
    </li>
  );
}
