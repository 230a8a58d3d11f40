import { KINDS } from '../../api/kinds.ts';
import { inOrder, oneOf } from '../../choices.ts';
import { startOfDay } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { type Chosen, chosenOf } from './chosen.ts';

/** The state of the search page, all of which is in its address, so that a search can be kept and shared. */
export interface SearchState {
  of?: 'comments';
  q?: string;
  forum?: Chosen;
  author?: Chosen;
  post_type?: Chosen;
  sentiment?: Chosen;
  flair?: Chosen;
  keyword?: Chosen;
  language?: Chosen;
  source?: Chosen;
  /** Only comments of this post. */
  post_id?: string;
  min_score?: string;
  max_score?: string;
  min_comments?: string;
  /** `true` or `false`. */
  has_media?: string;
  is_nsfw?: string;
  /** Days in the reader's zone, in the format of date fields; `to` is inclusive. */
  from?: string;
  to?: string;
  sort_by?: string;
  sort_order?: 'asc';
  /** Id of the post or comment in the side panel. */
  preview?: string;
}

export const FACETS = inOrder(KINDS.lists.facets, searchTexts.facets);
export type Facet = (typeof KINDS.lists.facets)[number];
export const isFacet = (name: string): name is Facet => (FACETS as readonly string[]).includes(name);

const COMMENT_FACETS = inOrder(KINDS.lists.commentFacets, searchTexts.facets);
/** Comments have no post type, flair or keywords. */
export const facetsOf = (of: SearchState['of']): readonly Facet[] =>
  of === 'comments' ? COMMENT_FACETS : FACETS;

const RANGES = ['min_score', 'max_score', 'min_comments'] as const;
export const FLAGS = ['has_media', 'is_nsfw'] as const;

/** Comments have no comment count, media or adult flag of their own. */
export const rangesOf = (of: SearchState['of']): readonly (typeof RANGES)[number][] =>
  of === 'comments' ? ['min_score', 'max_score'] : RANGES;
export const flagsOf = (of: SearchState['of']): readonly (typeof FLAGS)[number][] =>
  of === 'comments' ? [] : FLAGS;

/** Maximum number of chosen values of a facet. */
const MOST_VALUES = 20;
const TEXTS = ['post_id', 'q', 'sort_by', 'preview'] as const;
const SORTS = { posts: KINDS.lists.postSorts, comments: KINDS.lists.commentSorts };

/** The available sort orders; relevance requires words, and thread order a post. */
export const sortsOf = ({ of, q, post_id }: SearchState) =>
  inOrder<keyof typeof searchTexts.sorts>(SORTS[of ?? 'posts'], searchTexts.sorts).filter(
    (sort) => (sort !== 'relevance' || q !== undefined) && (sort !== 'thread' || post_id !== undefined),
  );

/** Reads the valid parts of an address and ignores the rest. */
export function readSearchState(given: Record<string, unknown>): SearchState {
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const state: SearchState = given.of === 'comments' ? { of: 'comments' } : {};
  for (const name of TEXTS) {
    const value = text(name);
    if (value !== undefined) state[name] = value;
  }
  for (const facet of FACETS) {
    const value = given[facet];
    const values = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
      (one) => typeof one === 'string',
    );
    const chosen = chosenOf(values.filter((one) => one !== '' && one !== '!').slice(0, MOST_VALUES));
    if (chosen !== undefined) state[facet] = chosen;
  }
  for (const name of ['from', 'to'] as const)
    if (/^\d{4}-\d{2}-\d{2}$/.test(text(name) ?? '') && !Number.isNaN(Date.parse(text(name)!)))
      state[name] = text(name);
  for (const name of rangesOf(state.of)) if (/^-?\d{1,9}$/.test(text(name) ?? '')) state[name] = text(name);
  for (const name of flagsOf(state.of))
    if (given[name] === 'true' || given[name] === 'false') state[name] = given[name];
  if (given.sort_order === 'asc') state.sort_order = 'asc';
  const foreign =
    state.of === 'comments' ? (['post_type', 'flair', 'keyword'] as const) : (['post_id'] as const);
  for (const name of foreign) delete state[name];
  if (oneOf(sortsOf(state), state.sort_by) === undefined) delete state.sort_by;
  return state;
}

/** The filters under their API names. */
export function filtersOf({
  of: _of,
  sort_by: _by,
  sort_order: _order,
  preview: _preview,
  from,
  to,
  ...filters
}: SearchState) {
  return {
    ...filters,
    ...(from !== undefined && { created_after: startOfDay(from, 0) }),
    ...(to !== undefined && { created_before: startOfDay(to, 1) }),
  };
}

/** Whether the list is filtered. */
export const isFiltered = (state: SearchState): boolean => Object.keys(filtersOf(state)).length > 0;
