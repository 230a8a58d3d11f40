import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Card } from '../../components/card.tsx';
import { useChosen } from '../../components/use-chosen.ts';
import { type Match, type MatchFilters, subjectOf } from '../../api/matches.ts';
import { originalAddress } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/controls.tsx';
import { GrowingEnd } from '../../components/growing-end.tsx';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Settled } from '../../components/settled.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { usePageKeys } from '../../layout/keys.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { mentionsTexts } from '../../texts/mentions.ts';
import { useStable } from '../../timers.ts';
import { alertsQuery } from '../alerts/alerts.ts';
import { MentionCard } from './mention-card.tsx';
import { MentionFilters, SelectionBar } from './mentions-bar.tsx';
import type { MentionsState } from './mentions-state.ts';
import { STATE_OF, TRIAGE_KEYS, type TriageAction } from './triage.ts';
import { type Triage, type Undoable, useTriage } from './use-triage.ts';

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

/** Which mention is the active one, which are selected and how many are rendered; each begins again with another list. */
function usePlace(state: MentionsState, items: readonly Match[]) {
  const [active, setActive] = useState(0);
  const { chosen: selected, toggle, choose } = useChosen();
  const [grown, setGrown] = useState(RENDERED_AT_ONCE);
  const place = JSON.stringify(state);
  const [shownPlace, setShownPlace] = useState(place);
  if (shownPlace !== place) {
    setShownPlace(place);
    setActive(0);
    choose([]);
    setGrown(RENDERED_AT_ONCE);
  }
  const index = Math.min(active, Math.max(0, items.length - 1));
  const rendered = items.slice(0, Math.max(grown, index + 2));
  return {
    index,
    selected,
    rendered,
    toggle,
    choose,
    grow: () => setGrown(rendered.length + RENDERED_AT_ONCE),
    focus: (at: number): void => {
      flushSync(() => setActive(at));
      const card = document.querySelector<HTMLElement>('article[aria-current]');
      card?.focus({ preventScroll: true });
      card?.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** What the keys and the buttons do: with the active mention, with one by its id, or with all selected ones. */
function useActions(
  state: MentionsState,
  { items, change, undo }: Triage,
  { index, selected, toggle, choose, focus }: ReturnType<typeof usePlace>,
) {
  const mayWrite = useSession().allows('write');
  const chosen = items.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  const act = (action: TriageAction, ids: readonly string[]): void => {
    const to = STATE_OF[action];
    if (to === undefined || ids.length === 0) return;
    flushSync(() => {
      change({ ids, state: to });
      choose([]);
    });
    // In a list of one state the next mention moves to the place of the changed one.
    if (ids.length === 1) focus(filtersOf(state).state === undefined ? index + 1 : index);
  };
  const current = items[index];
  const run = useStable((action: TriageAction): void => {
    if (action === 'next') focus(Math.min(index + 1, items.length - 1));
    else if (action === 'previous') focus(Math.max(index - 1, 0));
    else if (action === 'original') openOriginal(current);
    else if (action === 'open') openThread(current);
    else if (!mayWrite) return;
    else if (action === 'undo') undo();
    else if (action !== 'select') act(action, chosen.length > 0 ? chosen : current ? [current.id] : []);
    else if (current !== undefined) toggle(current.id);
  });
  const onCard = useStable((action: TriageAction, id: string) =>
    action === 'select' ? toggle(id) : act(action, [id]),
  );
  const label = (name: string): void => {
    change({ ids: chosen, add_labels: [name] });
    choose([]);
  };
  return { chosen, run, onCard, label };
}

/** The inbox over all alerts, made for the keyboard: each mention is done, kept or dismissed by one key. */
export function MentionsPage() {
  const state = route.useSearch();
  const session = useSession();
  const mayWrite = session.allows('write');
  const triage = useTriage(filtersOf(state), state.sentiment);
  const { items, query } = triage;
  const place = usePlace(state, items);
  const { chosen, run, onCard, label } = useActions(state, triage, place);
  usePageKeys((key) => {
    const action = TRIAGE_KEYS[key];
    if (action !== undefined) run(action);
    return action !== undefined;
  });
  const counts = query.data?.pages[0]?.counts;
  const hasAny = Object.values(counts ?? {}).some((count) => count > 0);
  // Without alerts there is nothing to filter, unless mentions of deleted ones are left.
  const hasAlerts = useQuery(alertsQuery(session.workspace_id)).data?.length !== 0;
  const { rendered } = place;
  return (
    <Page title={words.title}>
      {(hasAlerts || hasAny || isFiltered(state)) && (
        <MentionFilters state={state} counts={counts} labels={triage.labels} />
      )}
      {triage.error && <ErrorNote error={triage.error} />}
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
              <MentionList place={place} mayWrite={mayWrite} onAction={onCard} />
            </>
          )
        }
      </QueryView>
      {rendered.length < items.length ? (
        <GrowingEnd key={rendered.length} onNear={place.grow} />
      ) : (
        <LoadMore query={query} />
      )}
      <UndoNote offered={triage.offered} onUndo={triage.undo} />
    </Page>
  );
}

function MentionList({
  place,
  mayWrite,
  onAction,
}: {
  place: ReturnType<typeof usePlace>;
  mayWrite: boolean;
  onAction: (action: TriageAction, id: string) => void;
}) {
  return (
    <Settled>
      <ol className="-mx-1 space-y-2 overflow-x-clip px-1" aria-label={words.title}>
        {place.rendered.map((match, at) => (
          <MentionCard
            key={match.id}
            match={match}
            isActive={at === place.index}
            isSelected={place.selected.has(match.id)}
            mayWrite={mayWrite}
            onAction={onAction}
          />
        ))}
      </ol>
    </Settled>
  );
}

/** Opens the thread of a mention, by its link. */
const openThread = (match: Match | undefined): void =>
  match && document.getElementById(match.id)?.querySelector<HTMLAnchorElement>('h2 a')?.click();

/** Opens a mention where it was published. */
function openOriginal(match: Match | undefined): void {
  const subject = match === undefined ? null : subjectOf(match);
  const address = subject && originalAddress({ id: subject.postId, permalink: subject.permalink });
  if (address !== null) window.open(address, '_blank', 'noopener');
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

function UndoNote({ offered, onUndo }: { offered: Undoable | undefined; onUndo: () => void }) {
  return (
    <div role="status" className="fixed bottom-4 left-1/2 z-30 -translate-x-1/2">
      {offered && (
        <Card className="flex items-center gap-3 px-4 py-2 text-sm shadow-xl">
          {words.changed(
            formatNumber(offered.count),
            offered.state === undefined ? null : words.states[offered.state],
          )}
          <Button onClick={onUndo}>
            {words.undo} <kbd className="text-[11px] text-muted">Z</kbd>
          </Button>
        </Card>
      )}
    </div>
  );
}
