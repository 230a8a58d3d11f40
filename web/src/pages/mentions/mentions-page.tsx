import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { MatchFilters } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../components/controls.tsx';
import { GrowingEnd } from '../../components/growing-end.tsx';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import { mentionsTexts } from '../../texts/mentions.ts';
import { alertsQuery } from '../alerts/alerts.ts';
import { MentionList, UndoNote } from './mention-list.tsx';
import { MentionFilters, SelectionBar } from './mentions-bar.tsx';
import type { MentionsState } from './mentions-state.ts';
import { useInbox } from './use-inbox.ts';

const words = mentionsTexts;
const route = getRouteApi('/mentions');
/** Mentions that are rendered at first, and more of them each time that the end of the list comes near. */
const RENDERED_AT_ONCE = 25;

const filtersOf = ({
  state = 'new',
  alert,
  label,
  order,
}: Omit<MentionsState, 'state'> & { state?: string | undefined }): MatchFilters => ({
  ...(state !== 'all' && { state: state as NonNullable<MatchFilters['state']> }),
  ...(alert !== undefined && { alert_id: alert }),
  ...(label !== undefined && { label }),
  ...(order !== undefined && { sort_by: order }),
});

const isFiltered = ({ alert, label, sentiment }: MentionsState): boolean =>
  alert !== undefined || label !== undefined || sentiment !== undefined;

/** The inbox over all alerts, made for the keyboard: each mention is done, kept or dismissed by one key. */
export function MentionsPage() {
  const state = route.useSearch();
  const session = useSession();
  const mayWrite = session.allows('write');
  const inbox = useInbox(filtersOf(state), {
    sentiment: state.sentiment,
    atOnce: RENDERED_AT_ONCE,
    isSelectable: mayWrite,
  });
  const { items, query, chosen, run, label, place } = inbox;
  const counts = query.data?.pages[0]?.counts;
  const hasAny = Object.values(counts ?? {}).some((count) => count > 0);
  // Without alerts there is nothing to filter, unless mentions of deleted ones are left.
  const hasAlerts = useQuery(alertsQuery(session.workspace_id)).data?.length !== 0;
  const { rendered } = place;
  return (
    <Page title={words.title}>
      {(hasAlerts || hasAny || isFiltered(state)) && (
        <MentionFilters state={state} counts={counts} labels={inbox.labels} />
      )}
      {inbox.error && <ErrorNote error={inbox.error} />}
      <QueryView query={query} rows={5}>
        {() =>
          items.length === 0 && !query.isFetchingNextPage ? (
            <NoMentions state={state} hasAny={hasAny} />
          ) : (
            <>
              {mayWrite && (
                <SelectionBar
                  selected={chosen.length}
                  shown={items.length}
                  onAll={(all) => place.choose(all ? items.map(({ id }) => id) : [])}
                  onAction={run}
                  onLabel={label}
                />
              )}
              <MentionList inbox={inbox} />
            </>
          )
        }
      </QueryView>
      {rendered.length < items.length ? (
        <GrowingEnd key={rendered.length} onNear={place.grow} />
      ) : (
        <LoadMore query={query} />
      )}
      <UndoNote inbox={inbox} />
    </Page>
  );
}

/** Why there is nothing, and the one thing to do about it. */
function NoMentions({ state, hasAny }: { state: MentionsState; hasAny: boolean }) {
  const session = useSession();
  const alerts = useQuery(alertsQuery(session.workspace_id)).data;
  if (isFiltered(state))
    return (
      <Empty title={words.noneFound}>
        <Link to="/mentions" search={{ state: state.state }} className={buttonClass()}>
          {words.clearFilters}
        </Link>
      </Empty>
    );
  if (alerts?.length === 0)
    return (
      <Empty title={words.noAlert} hint={words.noAlertHint} example={alertsTexts.example}>
        {session.allows('write') && (
          <Link to="/alerts" search={{ create: 'yes' }} className={buttonClass('primary')}>
            {alertsTexts.create}
          </Link>
        )}
      </Empty>
    );
  const title = hasAny && state.state === undefined ? words.allDone : words.none;
  return <Empty title={title} hint={words.emptyHint} />;
}
