import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import {
  type Match,
  type MatchFilters,
  type MatchPage,
  foldMatches,
  readMatches,
} from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { applyChange, inverseOf, type TriageChange } from './triage.ts';

const PAGE = 100;
/** The next page is read when fewer mentions than this are left to show. */
const FEW_LEFT = 25;
/** Ids that one request changes. */
const IDS_AT_ONCE = 500;
/** How long a change can be taken back by the button. */
const UNDO_MS = 10_000;
const SETTLED_MS = 1_000;
const UNDO_STEPS = 100;

/** A change that can be taken back. */
export interface Undoable {
  count: number;
  state: Match['state'] | undefined;
  inverse: readonly TriageChange[];
}

/** The mentions that the filters select, page by page: those read so far, and those of them to show. */
function useMentions(filters: MatchFilters, sentiment: string | undefined) {
  const { workspace_id } = useSession();
  const query = useInfiniteQuery({
    queryKey: keys.matches(workspace_id, filters),
    queryFn: ({ pageParam, signal }) =>
      readMatches(
        workspace_id,
        { ...filters, view: 'full', limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
    placeholderData: keepPreviousData,
    // Triage must not reorder the list under the reader.
    staleTime: Infinity,
    refetchOnMount: 'always',
  });
  const loaded = query.data?.pages.flatMap(({ matches }) => matches) ?? [];
  const shown = loaded.filter(
    (match) =>
      (filters.state === undefined || match.state === filters.state) &&
      (filters.label === undefined || match.labels.includes(filters.label)) &&
      (sentiment === undefined || (match.post ?? match.comment)?.sentiment_label === sentiment),
  );
  const items = foldMatches(shown);
  const { hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage } = query;
  useEffect(() => {
    if (items.length < FEW_LEFT && hasNextPage && !isFetchingNextPage && !isPlaceholderData)
      void fetchNextPage();
  }, [items.length, hasNextPage, isFetchingNextPage, isPlaceholderData, fetchNextPage]);
  return { query, loaded, items };
}

/** Sends changes; those of a moment lead to one reading of the counts. */
function useSending(queryKey: readonly unknown[]) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  return useMutation({
    mutationFn: (change: TriageChange) => sendChange(workspace_id, change),
    onError: () => void client.invalidateQueries({ queryKey }),
    onSettled: () => {
      clearTimeout(settling.current);
      settling.current = setTimeout(() => {
        void client.invalidateQueries({ queryKey: keys.newestMatches(workspace_id) });
        void client.invalidateQueries({ queryKey: keys.allRelevance(workspace_id) });
      }, SETTLED_MS);
    },
  });
}

/** The changes that can be taken back, the latest of which is offered for a while. */
function useSteps() {
  const [steps, setSteps] = useState<readonly Undoable[]>([]);
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    if (!isOffered) return;
    const timer = setTimeout(() => setOffered(false), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isOffered, steps]);
  return {
    latest: steps.at(-1),
    offered: isOffered ? steps.at(-1) : undefined,
    add: (step: Undoable): void => {
      setSteps((before) => [...before.slice(1 - UNDO_STEPS), step]);
      setOffered(true);
    },
    drop: (): void => {
      setSteps((before) => before.slice(0, -1));
      setOffered(false);
    },
  };
}

export type Triage = ReturnType<typeof useTriage>;

/**
 * The mentions that the filters select, page by page, and what changes them. A change shows at once; a refused one is
 * read again from the service.
 */
export function useTriage(filters: MatchFilters, sentiment: string | undefined) {
  const client = useQueryClient();
  const queryKey = keys.matches(useSession().workspace_id, filters);
  const { query, loaded, items } = useMentions(filters, sentiment);
  const send = useSending(queryKey);
  const steps = useSteps();
  const perform = (change: TriageChange): void => {
    // A list that is being read may not know the change yet.
    void client.cancelQueries({ queryKey });
    client.setQueryData<InfiniteData<MatchPage, string>>(
      queryKey,
      (pages) => pages && applyChange(pages, change),
    );
    send.mutate(change);
  };
  return {
    query,
    items,
    labels: [...new Set(loaded.flatMap(({ labels }) => labels))].toSorted(),
    error: send.error,
    /** The latest change while it is offered to be taken back. */
    offered: steps.offered,
    change: (given: TriageChange): void => {
      // What is done with a text is done with the mentions of all alerts that found it.
      const others = new Map(items.map((item) => [item.id, item.others ?? []]));
      const ids = given.ids.flatMap((id) => [id, ...(others.get(id) ?? []).map((other) => other.id)]);
      const change = { ...given, ids };
      steps.add({ count: given.ids.length, state: change.state, inverse: inverseOf(change, loaded) });
      perform(change);
    },
    /** Takes the latest change back. */
    undo: (): void => {
      steps.latest?.inverse.forEach(perform);
      steps.drop();
    },
  };
}

async function sendChange(workspace_id: string, { ids, ...change }: TriageChange): Promise<void> {
  const [first] = ids;
  if (ids.length === 1 && change.state !== undefined && !change.add_labels && !change.remove_labels) {
    await dataOf(
      api.PATCH('/api/v1/workspaces/{workspace_id}/matches/{match_id}', {
        params: { path: { workspace_id, match_id: first! } },
        body: { state: change.state },
      }),
    );
    return;
  }
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE)
    await dataOf(
      api.POST('/api/v1/workspaces/{workspace_id}/matches/bulk', {
        params: { path: { workspace_id } },
        body: { ids: ids.slice(start, start + IDS_AT_ONCE), ...change },
      }),
    );
}

/** Writes the note of a mention. */
export function useNote(match: Match) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: string) =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/matches/{match_id}', {
          params: { path: { workspace_id, match_id: match.id } },
          body: { note },
        }),
      ),
    onSuccess: ({ note }) =>
      client.setQueriesData<InfiniteData<MatchPage, string>>(
        { queryKey: [...keys.allMatches(), workspace_id, 'list'] },
        (pages) =>
          pages && {
            ...pages,
            pages: pages.pages.map((page) => ({
              ...page,
              matches: page.matches.map((one) => (one.id === match.id ? { ...one, note } : one)),
            })),
          },
      ),
  });
}
