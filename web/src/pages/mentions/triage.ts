import type { InfiniteData } from '@tanstack/react-query';
import type { Match, MatchPage, MatchState } from '../../api/matches.ts';

/** A change of the state or labels of some mentions, in the fields of the API. */
export interface TriageChange {
  ids: readonly string[];
  state?: MatchState;
  add_labels?: string[];
  remove_labels?: string[];
}

type Pages = InfiniteData<MatchPage, string>;

function changed(match: Match, { state, add_labels = [], remove_labels = [] }: TriageChange): Match {
  const labels = [...new Set([...match.labels, ...add_labels])].filter((one) => !remove_labels.includes(one));
  return { ...match, state: state ?? match.state, labels: labels.toSorted() };
}

/** The loaded pages after a change, with the counts of states that it moves. */
export function applyChange(pages: Pages, change: TriageChange): Pages {
  const ids = new Set(change.ids);
  const moved: Partial<Record<MatchState, number>> = {};
  const move = (state: MatchState, by: number): void => {
    moved[state] = (moved[state] ?? 0) + by;
  };
  const changedPages = pages.pages.map((page) => ({
    ...page,
    matches: page.matches.map((match) => {
      if (!ids.has(match.id)) return match;
      const after = changed(match, change);
      move(match.state, -1);
      move(after.state, 1);
      return after;
    }),
  }));
  return {
    ...pages,
    pages: changedPages.map((page) => ({
      ...page,
      counts: {
        new: page.counts.new + (moved.new ?? 0),
        seen: page.counts.seen + (moved.seen ?? 0),
        kept: page.counts.kept + (moved.kept ?? 0),
        dismissed: page.counts.dismissed + (moved.dismissed ?? 0),
      },
    })),
  };
}

/** The changes that take a change back: each mention gets the state and the labels that it has now. */
export function inverseOf(change: TriageChange, matches: readonly Match[]): TriageChange[] {
  const ids = new Set(change.ids);
  const groups = new Map<string, TriageChange & { ids: string[] }>();
  for (const match of matches) {
    if (!ids.has(match.id)) continue;
    const remove_labels = (change.add_labels ?? []).filter((label) => !match.labels.includes(label));
    const add_labels = (change.remove_labels ?? []).filter((label) => match.labels.includes(label));
    const key = JSON.stringify([match.state, add_labels, remove_labels]);
    const group = groups.get(key) ?? {
      ids: [],
      ...(change.state !== undefined && { state: match.state }),
      ...(add_labels.length > 0 && { add_labels }),
      ...(remove_labels.length > 0 && { remove_labels }),
    };
    group.ids.push(match.id);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What a key does with the active mention or with the selected ones. */
export type TriageAction =
  'next' | 'previous' | 'open' | 'done' | 'keep' | 'dismiss' | 'original' | 'select' | 'undo';

/** The keys of the inbox. */
export const TRIAGE_KEYS: Readonly<Record<string, TriageAction>> = {
  j: 'next',
  ArrowDown: 'next',
  k: 'previous',
  ArrowUp: 'previous',
  Enter: 'open',
  e: 'done',
  s: 'keep',
  d: 'dismiss',
  o: 'original',
  x: 'select',
  z: 'undo',
};

/** The state that an action gives; undefined when it changes none. */
export const STATE_OF: Partial<Record<TriageAction, MatchState>> = {
  done: 'seen',
  keep: 'kept',
  dismiss: 'dismissed',
};
