import { valuesOf } from './chosen.ts';
import { type Facet, FACETS, filtersOf, flagsOf, rangesOf, type SearchState } from './search-state.ts';

/** Names of the facets in the query language. */
const FIELDS: Record<Facet, string> = {
  forum: 'forum',
  author: 'author',
  post_type: 'type',
  sentiment: 'sentiment',
  flair: 'flair',
  keyword: 'keyword',
  language: 'lang',
  source: 'source',
};

/** Limits of numbers, and what a record has or is, in the query language. */
const LIMITS: Record<ReturnType<typeof rangesOf>[number], string> = {
  min_score: 'score:>=',
  max_score: 'score:<=',
  min_comments: 'comments:>=',
};
const WORDS: Record<ReturnType<typeof flagsOf>[number], string> = {
  has_media: 'has:media',
  is_nsfw: 'is:nsfw',
};

/** A value that is one word of the query language without quotes. */
const ONE_WORD = /^[^\s()"=“”„‟«»‹›「」『』＂][^\s()"“”„‟«»‹›「」『』＂]*$/;
const QUOTES = /["“”„‟«»‹›「」『』＂]/;

/**
 * A search with all its filters as one query in the language of `q`. `left` are the names of the filters that the
 * language cannot express.
 */
export function searchAsQuery(state: SearchState): { query: string; left: (keyof SearchState)[] } {
  const left: (keyof SearchState)[] = state.post_id === undefined ? [] : ['post_id'];
  const conditions: string[] = [];
  for (const facet of FACETS) {
    const values = valuesOf(state[facet]);
    if (values.some((value) => QUOTES.test(value))) {
      left.push(facet);
      continue;
    }
    const written = (value: string): string => fieldValue(FIELDS[facet], value);
    const some = values.filter((value) => !value.startsWith('!')).map(written);
    const none = values
      .filter((value) => value.startsWith('!'))
      .map((value) => `-${written(value.slice(1))}`);
    if (some.length > 0) conditions.push(some.length === 1 ? some[0]! : `(${some.join(' OR ')})`);
    conditions.push(...none);
  }
  const { created_after, created_before } = filtersOf(state);
  for (const name of rangesOf(state.of))
    if (state[name] !== undefined) conditions.push(`${LIMITS[name]}${state[name]}`);
  for (const name of flagsOf(state.of))
    if (state[name] !== undefined) conditions.push(flag(WORDS[name], state[name]));
  if (created_after !== undefined) conditions.push(`after:${shortTime(created_after)}`);
  if (created_before !== undefined) conditions.push(`before:${shortTime(created_before)}`);
  const q = state.q?.trim() ?? '';
  if (q === '') return { query: conditions.join(' '), left };
  const words = conditions.length > 0 && NEEDS_GROUP.test(q) ? closed(q) : q;
  return { query: [words, ...conditions].join(' '), left };
}

const flag = (name: string, value: string): string => (value === 'true' ? name : `-${name}`);

function fieldValue(field: string, value: string): string {
  return `${field}:${ONE_WORD.test(value) && !value.endsWith('*') ? value : `"${value}"`}`;
}

/** A time in UTC, as a day if one begins then. */
const shortTime = (time: string): string =>
  time.endsWith('T00:00:00.000Z') ? time.slice(0, 10) : time.replace(/(:00)?\.000Z$/, 'Z');

/** What gives a query another meaning when conditions follow it. */
const NEEDS_GROUP = /[()"“”„‟«»‹›「」『』＂]|(?:^|\s)(?:or|and|not)(?:\s|$)/i;

/**
 * A query between parentheses. What it leaves open is closed first, and a parenthesis that closes nothing ends a group
 * that begins with the query, as the language reads it.
 */
function closed(q: string): string {
  let depth = 0;
  let isQuoted = false;
  let opened = '';
  for (const character of q) {
    if (QUOTES.test(character)) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')' && depth === 0) opened += '(';
    else if (character === ')') depth -= 1;
  }
  return `(${opened}${q}${isQuoted ? '"' : ''}${')'.repeat(depth)})`;
}
