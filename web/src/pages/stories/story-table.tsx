import { Link } from '@tanstack/react-router';
import { sourceName } from '../../api/original.ts';
import { Time } from '../../components/time.tsx';
import { formatNumber, formatSigned } from '../../format.ts';
import { storiesTexts } from '../../texts/stories.ts';
import type { Story } from './stories.ts';
import type { StoriesState } from './stories-state.ts';

const words = storiesTexts;
const number = 'py-2 pl-3 text-right align-top tabular-nums';
/** Columns for which a phone has no room. */
const wide = 'max-md:hidden';

/** Stories in a table, where `isShort` with few columns; each leads to its page. */
export function StoryTable({
  stories,
  state,
  isShort = false,
}: {
  stories: readonly Story[];
  /** The filters of their list. */
  state: StoriesState;
  isShort?: boolean;
}) {
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-medium">{words.story}</th>
          <th className="py-2 pl-3 text-right font-medium">{words.size}</th>
          <th
            className="py-2 pl-3 text-right font-medium whitespace-nowrap max-sm:hidden"
            title={words.growthHint}
          >
            {words.growth}
          </th>
          {!isShort && (
            <>
              <th className={`py-2 pl-3 font-medium ${wide}`}>{words.sources}</th>
              <th className={`py-2 pl-3 text-right font-medium ${wide}`}>{words.first}</th>
              <th className="py-2 pl-3 text-right font-medium">{words.last}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {stories.map((story) => (
          <StoryRow key={story.id} story={story} state={state} isShort={isShort} />
        ))}
      </tbody>
    </table>
  );
}

function StoryRow({ story, state, isShort }: { story: Story; state: StoriesState; isShort: boolean }) {
  const { id, title, size, growth, sources, first_at, last_at, keywords } = story;
  return (
    <tr className="border-b border-line last:border-0">
      <td className="py-2 align-top">
        <Link
          to="/stories/$storyId"
          params={{ storyId: id }}
          search={state}
          dir="auto"
          className="line-clamp-2 font-medium text-ink no-underline [overflow-wrap:anywhere] hover:underline"
        >
          {title}
        </Link>
        {!isShort && keywords.length > 0 && (
          <p className="mt-0.5 line-clamp-1 text-[13px] text-muted [overflow-wrap:anywhere]">
            {words.about(keywords.join(', '))}
          </p>
        )}
      </td>
      <td className={number}>{formatNumber(size)}</td>
      <td className={`${number} max-sm:hidden ${growth > 0 ? 'text-fresh' : 'text-muted'}`}>
        {formatSigned(growth)}
      </td>
      {!isShort && (
        <>
          <td className={`py-2 pl-3 align-top ${wide}`}>{sources.map(sourceName).join(', ')}</td>
          <td className={`${number} whitespace-nowrap text-muted ${wide}`}>
            <Time at={first_at} />
          </td>
          <td className={`${number} text-muted sm:whitespace-nowrap`}>
            <Time at={last_at} />
          </td>
        </>
      )}
    </tr>
  );
}
