import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { foldMatches, newestMatchesQuery } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { usageQuery } from '../../api/usage.ts';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { homeTexts } from '../../texts/home.ts';
import { alertsQuery } from '../alerts/alerts.ts';
import { MentionRow } from '../mentions/mention-row.tsx';
import { schedulesQuery } from '../schedules/schedules.ts';
import { Checklist } from './checklist.tsx';
import { HomeFigures } from './figures.tsx';
import { HomeSide } from './side.tsx';
import { usePins } from '../../components/pinned-trends.ts';
import { PinnedTrends } from './pins.tsx';
import { recordVisit } from './visit.ts';

const words = homeTexts;

/** What is new, running, failing and found; an empty workspace is led to its first posts. */
export function HomePage() {
  const { workspace_id, allows } = useSession();
  const [lastVisit] = useState(() => recordVisit(workspace_id));
  const usage = useQuery(usageQuery(workspace_id));
  const alerts = useQuery(alertsQuery(workspace_id));
  const schedules = useQuery(schedulesQuery(workspace_id));
  const pins = usePins();
  const stored = usage.data?.storage;
  if (stored?.posts === 0 && stored.comments === 0) return <Navigate to="/start" replace />;
  const mayStart = allows('write') && alerts.data?.length === 0;
  // A checklist and pinned trends move what is below them, which is shown once it is known whether there are any.
  const isPlaced =
    !pins.isPending &&
    (!allows('write') || !(alerts.isPending || (mayStart && (usage.isPending || schedules.isPending))));
  return (
    <Page
      title={words.title}
      actions={
        lastVisit !== null && (
          <p className="text-[13px] text-muted">
            {words.lastVisit} <Time at={lastVisit.toISOString()} />
          </p>
        )
      }
    >
      <div className="relative">
        {!isPlaced && (
          <div className="absolute inset-x-0 top-0">
            <Loading rows={6} />
          </div>
        )}
        {mayStart && stored && schedules.data && (
          <Checklist posts={stored.posts} schedules={schedules.data.length} />
        )}
        <div className={isPlaced ? '' : 'invisible'}>
          <HomeFigures lastVisit={lastVisit} />
          <PinnedTrends />
          <div className="items-start gap-4 lg:grid lg:grid-cols-[1fr_20rem]">
            <NewestMentions />
            <HomeSide />
          </div>
        </div>
      </div>
    </Page>
  );
}

function NewestMentions() {
  const { workspace_id } = useSession();
  const newest = useQuery(newestMatchesQuery(workspace_id));
  return (
    <Panel
      title={words.newest}
      actions={
        <Link to="/mentions" className="text-[13px] text-accent no-underline hover:underline">
          {words.allMentions}
        </Link>
      }
    >
      <QueryView query={newest} rows={5}>
        {({ matches }) =>
          matches.length === 0 ? (
            <div className="py-6 text-center">
              <p className="font-medium">{words.noMentions}</p>
              <p className="mt-1 text-[13px] text-muted">{words.noMentionsHint}</p>
            </div>
          ) : (
            <ul className="-mx-2">
              {foldMatches(matches).map((match) => (
                <MentionRow key={match.id} match={match} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}
