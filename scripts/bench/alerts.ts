import { AlertMatcher, type MatchableAlert } from '../../src/modules/alerts/matching/alert-matcher.js';
import { recordOf } from '../../src/modules/alerts/matching/alertable-record.js';
import type { MatchedRecord } from '../../src/modules/search/matching/matched-record.js';

const VOCABULARY = 60_000;
const COMMON_WORDS = 3_000;
const POSTS = 2_000;
const WORDS_A_POST = 120;
const ROUNDS = 10;

export interface AlertsFigures {
  posts_per_second_10_alerts: number;
  posts_per_second_10000_alerts: number;
  /** Second divided by first; target: at least 0.5. */
  ratio: number;
  matches_per_post_10000_alerts: number;
  compile_ms_10000_alerts: number;
  posts_per_second_10000_queries: number;
  matches_per_post_10000_queries: number;
  compile_ms_10000_queries: number;
}

/**
 * Posts matched a second with 10 and with 10,000 alerts of three keywords each, and with 10,000 alerts by query, on
 * synthetic posts from a fixed seed.
 */
export async function run(): Promise<AlertsFigures> {
  const random = seeded(6);
  const words = Array.from({ length: VOCABULARY }, () => word(random));
  const posts = Array.from({ length: POSTS }, () => post(words, random));
  const few = await AlertMatcher.compile(alerts(10, words, random));
  const drafts = alerts(10_000, words, random);
  const startedAt = performance.now();
  const many = await AlertMatcher.compile(drafts);
  const compiledIn = performance.now() - startedAt;
  const queryDrafts = queryAlerts(10_000, words, random);
  const queriesStartedAt = performance.now();
  const queries = await AlertMatcher.compile(queryDrafts);
  const queriesCompiledIn = performance.now() - queriesStartedAt;
  const rates = { few: 0, many: 0, queries: 0 };
  let matches = 0;
  let queryMatches = 0;
  // Measured alternately, keeping the best of each, so that other load on the machine distorts neither.
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.few = Math.max(rates.few, rateOf(few, posts).rate);
    const measured = rateOf(many, posts);
    rates.many = Math.max(rates.many, measured.rate);
    matches = measured.matches;
    const withQueries = rateOf(queries, posts);
    rates.queries = Math.max(rates.queries, withQueries.rate);
    queryMatches = withQueries.matches;
  }
  return {
    posts_per_second_10_alerts: Math.round(rates.few),
    posts_per_second_10000_alerts: Math.round(rates.many),
    ratio: Number((rates.many / rates.few).toFixed(3)),
    matches_per_post_10000_alerts: Number((matches / POSTS).toFixed(2)),
    compile_ms_10000_alerts: Math.round(compiledIn),
    posts_per_second_10000_queries: Math.round(rates.queries),
    matches_per_post_10000_queries: Number((queryMatches / POSTS).toFixed(2)),
    compile_ms_10000_queries: Math.round(queriesCompiledIn),
  };
}

function rateOf(matcher: AlertMatcher, posts: readonly MatchedRecord[]): { rate: number; matches: number } {
  const startedAt = performance.now();
  let matches = 0;
  for (const each of posts) matches += matcher.match(each).length;
  return { rate: (posts.length / (performance.now() - startedAt)) * 1_000, matches };
}

/**
 * Two keywords of one word and one phrase of two; a fifth of the alerts watch only one forum. The most common words of
 * the vocabulary are left out, since no alert would watch them.
 */
function alerts(count: number, words: readonly string[], random: () => number): MatchableAlert[] {
  const any = (): string => words[COMMON_WORDS + Math.floor(random() * (words.length - COMMON_WORDS))]!;
  return Array.from({ length: count }, (_, id) => ({
    id: String(id),
    keywords: [any(), any(), `${any()} ${any()}`],
    forums: random() < 0.2 ? ['technology'] : [],
  }));
}

/** Queries of three to eight terms, half of them with an exclusion. */
function queryAlerts(count: number, words: readonly string[], random: () => number): MatchableAlert[] {
  const any = (): string => words[COMMON_WORDS + Math.floor(random() * (words.length - COMMON_WORDS))]!;
  return Array.from({ length: count }, (_, id) => {
    const terms = Array.from({ length: 2 + Math.floor(random() * 6) }, any);
    const last = random() < 0.5 ? `-${any()}` : any();
    return { id: String(id), keywords: [], query: `(${terms.join(' OR ')}) ${last}`, forums: [] };
  });
}

/** Words are drawn by Zipf's law, as in real texts: a few occur everywhere, most are rare. */
function post(words: readonly string[], random: () => number): MatchedRecord {
  const text = (length: number): string =>
    Array.from({ length }, () => words[Math.floor(words.length ** random()) - 1]!).join(' ');
  return recordOf({
    id: 't3_a',
    forum: 'technology',
    title: text(10),
    selftext: `${text(WORDS_A_POST - 10)}.`,
    author: 'ann',
    createdUtc: new Date(0),
  });
}

function word(random: () => number): string {
  const letters = 'etaoinshrdlucmfwypvbgkjqxzéü';
  return Array.from(
    { length: 3 + Math.floor(random() * 8) },
    () => letters[Math.floor(random() * letters.length)]!,
  ).join('');
}

/** mulberry32 */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
