import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { useInView } from '../../components/in-view.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { storiesQuery } from '../stories/stories.ts';
import { StoryTable } from '../stories/story-table.tsx';
import type { Alert } from './alerts.ts';

const words = alertPageTexts.stories;
const SHOWN = 5;

/** The largest stories of what an alert finds, read when they come into view because that takes seconds. */
export function AlertStories({ alert }: { alert: Alert }) {
  const { workspace_id } = useSession();
  const [ref, wasSeen] = useInView<HTMLDivElement>();
  const state = {
    alert: alert.id,
    ...(alert.of !== undefined && alert.of !== 'posts' && { scope: alert.of }),
  };
  const stories = useInfiniteQuery({ ...storiesQuery(workspace_id, state), enabled: wasSeen });
  return (
    <Panel
      title={words.title}
      actions={
        <Link to="/stories" search={state} className="text-[13px] text-accent">
          {words.all}
        </Link>
      }
    >
      <div ref={ref} className="min-h-16">
        {wasSeen && (
          <QueryView query={stories} rows={1}>
            {({ pages }) =>
              pages[0]!.stories.length === 0 ? (
                <p className="text-sm text-muted">{words.none}</p>
              ) : (
                <StoryTable stories={pages[0]!.stories.slice(0, SHOWN)} state={state} isShort />
              )
            }
          </QueryView>
        )}
      </div>
    </Panel>
  );
}
