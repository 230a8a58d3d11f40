import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { PostLink } from '../../components/post-link.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { spikesQuery } from './home-queries.ts';

const words = texts.home.spikes;
const SHOWN_KEYWORDS = 4;

/** The times of the last week at which far more was written than usual, and what about; nothing when there were none. */
export function Spikes() {
  const { workspace_id } = useSession();
  const spikes = useQuery(spikesQuery(workspace_id)).data;
  if (spikes === undefined || spikes.length === 0) return null;
  return (
    <Panel title={words.title}>
      <ul className="space-y-3 text-[13px]">
        {spikes.map(({ start, end, count, expected, top_keywords, top_posts }) => (
          <li key={start} className="[overflow-wrap:anywhere]">
            <p>
              <Link
                to="/search"
                search={{ q: `after:${start} before:${end}` }}
                className="font-medium text-accent no-underline hover:underline"
              >
                {words.count(formatNumber(count), formatNumber(Math.round(expected)))}
              </Link>{' '}
              <span className="text-muted">
                <Time at={start} />
              </span>
            </p>
            {top_keywords.length > 0 && (
              <p className="text-muted">
                {top_keywords
                  .slice(0, SHOWN_KEYWORDS)
                  .map(({ keyword }) => keyword)
                  .join(', ')}
              </p>
            )}
            {top_posts[0] !== undefined && (
              <PostLink
                postId={top_posts[0].id}
                className="line-clamp-1 text-ink no-underline hover:underline"
              >
                {top_posts[0].title}
              </PostLink>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
