import { type Call, isSet, listOf, numberOf, type Option, textOf, UsageError } from './command.js';

/** What is searched, exported or watched. */
export type Kind = 'posts' | 'comments';

const SENTIMENTS = ['positive', 'negative', 'neutral'];

/** Options that choose rows, the same for every command. */
export const FILTER_OPTIONS: Readonly<Record<string, Option>> = {
  of: {
    type: 'string',
    value: 'KIND',
    choices: ['posts', 'comments'],
    help: 'What is searched; default posts',
  },
  forum: { type: 'string', value: 'NAME', multiple: true, help: 'In this forum; !NAME: not in it' },
  author: { type: 'string', value: 'NAME', multiple: true, help: 'By this author' },
  sentiment: {
    type: 'string',
    value: 'LABEL',
    multiple: true,
    choices: SENTIMENTS,
    help: 'With this sentiment',
  },
  language: { type: 'string', value: 'CODE', multiple: true, help: 'In this language, such as en' },
  source: { type: 'string', value: 'NAME', multiple: true, help: 'From this source, such as hackernews' },
  type: { type: 'string', value: 'TYPE', multiple: true, help: 'Posts of this type, such as link' },
  flair: { type: 'string', value: 'TEXT', multiple: true, help: 'Posts with this flair' },
  keyword: { type: 'string', value: 'WORD', multiple: true, help: 'Posts with this extracted keyword' },
  'min-score': { type: 'string', value: 'N', help: 'With at least this score' },
  'max-score': { type: 'string', value: 'N', help: 'With at most this score' },
  after: {
    type: 'string',
    value: 'TIME',
    help: 'Written at or after this time: 2026-01-31, or with time and zone',
  },
  before: { type: 'string', value: 'TIME', help: 'Written before this time' },
  post: { type: 'string', value: 'ID', help: 'Comments of this post' },
};

/** Filters of a list or an export, by the names of the API. */
export type Filters = Record<string, string | string[] | number>;

/** What is chosen. Throws {@link UsageError} for a number that is none. */
export function filtersOf(call: Call): { of: Kind; filters: Filters } {
  const chosen: Record<string, Filters[string] | undefined> = {
    q: call.positionals.length === 0 ? undefined : call.positionals.join(' '),
    forum: listOf(call, 'forum'),
    author: listOf(call, 'author'),
    sentiment: listOf(call, 'sentiment'),
    language: listOf(call, 'language'),
    source: listOf(call, 'source'),
    post_type: listOf(call, 'type'),
    flair: listOf(call, 'flair'),
    keyword: listOf(call, 'keyword'),
    min_score: numberOf(call, 'min-score'),
    max_score: numberOf(call, 'max-score'),
    created_after: timeOf(call, 'after'),
    created_before: timeOf(call, 'before'),
    post_id: textOf(call, 'post'),
  };
  const filters = Object.entries(chosen).filter(
    (entry): entry is [string, Filters[string]] => entry[1] !== undefined,
  );
  return { of: (textOf(call, 'of') ?? 'posts') as Kind, filters: Object.fromEntries(filters) };
}

/** How many rows are wanted: `--limit`, or all with `--all`. */
export function limitOf(call: Call, otherwise: number): number {
  const limit = numberOf(call, 'limit', 1);
  if (limit !== undefined && isSet(call, 'all')) throw new UsageError('--limit and --all exclude each other');
  return isSet(call, 'all') ? Infinity : (limit ?? otherwise);
}

/** A date alone means its first instant in UTC. */
function timeOf(call: Call, name: string): string | undefined {
  const text = textOf(call, name);
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text;
}
