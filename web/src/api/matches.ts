import { queryOptions } from '@tanstack/react-query';
import { textBelow, titleOf } from '../components/text-below.ts';
import { api, dataOf, type Schemas } from './client.ts';
import { keys } from './keys.ts';

export type Match = Schemas['MatchDto'];
export type MatchState = Match['state'];
export type MatchPage = Schemas['MatchPageDto'];

/** Filters of the list of mentions, under their API names. */
export interface MatchFilters {
  alert_id?: string;
  state?: MatchState;
  label?: string;
  sort_by?: 'relevance' | 'uncertainty';
}

/** One page of mentions, newest first unless another order is asked for. */
export const readMatches = (
  workspace_id: string,
  query: MatchFilters & { limit: number; cursor?: string; view?: 'full' },
  signal?: AbortSignal,
) =>
  dataOf(
    api.GET('/api/v1/workspaces/{workspace_id}/matches', {
      params: { path: { workspace_id }, query },
      ...(signal && { signal }),
    }),
  );

/** The newest mentions with the counts of all states, for Home and the navigation. */
export const newestMatchesQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.newestMatches(workspace_id),
    queryFn: ({ signal }) => readMatches(workspace_id, { limit: NEWEST, view: 'full' }, signal),
  });

/** How much an alert has found, and how much of it is new. */
export const matchCountQuery = (workspace_id: string, alert_id: string) =>
  queryOptions({
    queryKey: keys.matchCount(workspace_id, alert_id),
    queryFn: async ({ signal }) => {
      const { total, counts } = await readMatches(workspace_id, { alert_id, limit: 1 }, signal);
      return { total, fresh: counts.new };
    },
  });

const NEWEST = 10;

/** A mention with those of other alerts that found the same text. */
export type FoldedMatch = Match & { others?: readonly Match[] };

/** Mentions with each text once, at its first place. */
export function foldMatches(matches: readonly Match[]): FoldedMatch[] {
  const byText = new Map<string, Match[]>();
  for (const match of matches) {
    const text = match.comment?.comment_id ?? match.post?.id ?? match.id;
    const same = byText.get(text);
    if (same === undefined) byText.set(text, [match]);
    else same.push(match);
  }
  return [...byText.values()].map(([first, ...others]) =>
    others.length === 0 ? first! : { ...first!, others },
  );
}

/** The text and its author that a mention is about; null when it is no longer stored. */
export function subjectOf({ post, comment }: Match): {
  postId: string;
  commentId?: string;
  title: string | null;
  /** The title of a comment's post. */
  parentTitle: string | null;
  text: string;
  author: string;
  forum: string | null;
  created: string;
  score: number;
  sentiment: { label: 'positive' | 'negative' | 'neutral'; score: number };
  permalink: string;
} | null {
  const text = post ?? comment;
  if (text === undefined || text === null) return null;
  const shared = {
    author: text.author,
    created: text.created_utc,
    score: text.score,
    sentiment: { label: text.sentiment_label, score: text.sentiment_score },
  };
  if ('selftext' in text)
    return {
      ...shared,
      postId: text.id,
      title: titleOf(text),
      parentTitle: null,
      text: textBelow(text),
      forum: text.forum,
      permalink: text.permalink,
    };
  return {
    ...shared,
    postId: text.post_id,
    commentId: text.comment_id,
    title: null,
    parentTitle: text.post?.title ?? null,
    text: text.body,
    forum: text.post?.forum ?? null,
    permalink: text.post_permalink,
  };
}
