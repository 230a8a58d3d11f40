import { useState } from 'react';
import { flushSync } from 'react-dom';
import { type Match, type MatchFilters, subjectOf } from '../../api/matches.ts';
import { originalAddress } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { useChosen } from '../../components/use-chosen.ts';
import { usePageKeys } from '../../layout/keys.ts';
import { useStable } from '../../timers.ts';
import { STATE_OF, TRIAGE_KEYS, type TriageAction } from './triage.ts';
import { type Triage, useTriage } from './use-triage.ts';

/** Which mention is the active one, which are selected and how many are rendered; each begins again with another list. */
function usePlace(list: unknown, items: readonly Match[], atOnce: number) {
  const [active, setActive] = useState(0);
  const { chosen: selected, toggle, choose } = useChosen();
  const [grown, setGrown] = useState(atOnce);
  const place = JSON.stringify(list);
  const [shownPlace, setShownPlace] = useState(place);
  if (shownPlace !== place) {
    setShownPlace(place);
    setActive(0);
    choose([]);
    setGrown(atOnce);
  }
  const index = Math.min(active, Math.max(0, items.length - 1));
  const rendered = items.slice(0, Math.max(grown, index + 2));
  return {
    index,
    selected,
    rendered,
    toggle,
    choose,
    grow: () => setGrown(rendered.length + atOnce),
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
  filters: MatchFilters,
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
    if (ids.length === 1) focus(filters.state === undefined ? index + 1 : index);
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

/** Opens the thread of a mention, by its link. */
const openThread = (match: Match | undefined): void =>
  match && document.getElementById(match.id)?.querySelector<HTMLAnchorElement>('h2 a')?.click();

/** Opens a mention where it was published. */
function openOriginal(match: Match | undefined): void {
  const subject = match === undefined ? null : subjectOf(match);
  const address = subject && originalAddress({ id: subject.postId, permalink: subject.permalink });
  if (address !== null) window.open(address, '_blank', 'noopener');
}

export type Inbox = ReturnType<typeof useInbox>;

/**
 * A list of mentions that obeys the keys of the inbox; `atOnce` of them are rendered at first. Where `isSelectable`,
 * several can be selected.
 */
export function useInbox(
  filters: MatchFilters,
  given: { sentiment?: string | undefined; atOnce: number; isSelectable: boolean },
) {
  const triage = useTriage(filters, given.sentiment);
  const place = usePlace([filters, given.sentiment], triage.items, given.atOnce);
  const actions = useActions(filters, triage, place);
  usePageKeys((key) => {
    const action = TRIAGE_KEYS[key];
    if (action === undefined || (action === 'select' && !given.isSelectable)) return false;
    actions.run(action);
    return true;
  });
  return { ...triage, place, ...actions, isSelectable: given.isSelectable };
}
