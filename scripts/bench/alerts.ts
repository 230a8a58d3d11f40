import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MatchableAlert } from '../../src/alerts/alert/alert-scope.js';
import { AlertMatcher } from '../../src/alerts/matching/alert-matcher.js';
import { recordOf } from '../../src/alerts/matching/alertable-record.js';
import type { MatchedRecord } from '../../src/search/matching/matched-record.js';
import { searchValue } from '../../src/text/search-value.js';
import { stem } from '../../src/text/stems.js';
import { readKeyphrased, readLabelled } from '../training/dataset.js';
import { randomFrom } from '../training/softmax.js';
import { inTurns, median, medianRatio, quantile, rounded } from './support/measure.js';

const FOLDER = process.env.TEXT_ANALYSIS_DIR ?? '../shared/text-analysis';
const ALERTS = 10_000;
/** Queries of all workspaces of a large service. */
const MANY_QUERIES = 100_000;
const POSTS = 1_000;
const COMMENTS = 5_000;
const BATCH = 100;
/** The most frequent words in any form are left out, since no alert would watch them. */
const COMMON_STEMS = 3_000;
const PREFIX_LENGTH = 5;
const ROUNDS = 15;
/** Not counted, because code is still being compiled. */
const WARM_UP_ROUNDS = 2;

/**
 * Processor time of matching real posts and comments in batches against 10 and 10,000 alerts of three keywords each and
 * 10,000 and 100,000 alerts by query, right after their search values were written, as in a scrape.
 *
 * @throws Error when the folder of texts (`TEXT_ANALYSIS_DIR`) is missing
 */
export async function run(): Promise<object> {
  const random = randomFrom(6);
  const posts = readKeyphrased(FOLDER, 'kp_stackexchange.dev').map(({ text }) => text);
  const comments = readLabelled(FOLDER, 'goemotions.train').map(({ text }) => text);
  const words = wordsOf([...posts, ...comments]);
  const records = [...posts.slice(0, POSTS), ...comments.slice(0, COMMENTS)].map(recordOfText);
  const few = await compiled(keywordAlerts(10, words, random));
  const many = await compiled(keywordAlerts(ALERTS, words, random));
  const queries = await compiled(queryAlerts(ALERTS, words, random));
  const analysis: number[] = [];
  const found = new Map<AlertMatcher, number>();
  const timeOf = (matcher: AlertMatcher) => (): number => {
    const measured = measure(matcher, records);
    analysis.push(measured.analysis);
    found.set(matcher, measured.matches);
    return measured.matching;
  };
  const times = await inTurns(
    ROUNDS,
    { few: timeOf(few.matcher), many: timeOf(many.matcher), queries: timeOf(queries.matcher) },
    WARM_UP_ROUNDS,
  );
  const large = await ofManyQueries(queryAlerts(MANY_QUERIES, words, random), records);
  const analysed = median(analysis.slice(WARM_UP_ROUNDS * Object.keys(times).length));
  const perText = (sum: number): number => rounded(sum / records.length);
  return {
    texts: records.length,
    // Processor time of a text, in microseconds, after its search value was written.
    us_per_text_10_alerts: perText(median(times.few)),
    us_per_text_10000_alerts: perText(median(times.many)),
    us_per_text_10000_queries: perText(median(times.queries)),
    // Of the search value with 10 alerts, divided by that with 10,000; target: at least 0.5.
    ratio: rounded((analysed + median(times.few)) / (analysed + median(times.many))),
    // Of 10,000 alerts by query, divided by that of 10,000 alerts of three keywords.
    queries_to_keywords: rounded(medianRatio(times.queries, times.many)),
    matches_per_text_10000_alerts: perText(found.get(many.matcher)!),
    matches_per_text_10000_queries: perText(found.get(queries.matcher)!),
    compile_ms_10000_alerts: Math.round(many.milliseconds),
    compile_ms_10000_queries: Math.round(queries.milliseconds),
    queries_100000: large,
  };
}

/** Speed, memory and slow batches of very many queries, in the last of a few rounds. */
async function ofManyQueries(alerts: readonly MatchableAlert[], records: readonly MatchedRecord[]) {
  const before = memoryInUse();
  const { matcher, milliseconds } = await compiled(alerts);
  const bytes = (memoryInUse() - before) / alerts.length;
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) measure(matcher, records);
  const { analysis, matching, matches, batches } = measure(matcher, records);
  return {
    // Analysed and matched on one core; target: at least 1,000.
    texts_per_second: Math.round((1_000_000 * records.length) / (analysis + matching)),
    // Target: at most 250.
    p95_ms_of_a_batch: rounded(quantile(batches, 0.95)),
    // Target: at most 600.
    bytes_per_query: Math.round(bytes),
    matches_per_text: rounded(matches / records.length),
    compile_ms: Math.round(milliseconds),
  };
}

/** Bytes that are still referred to. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function compiled(
  alerts: readonly MatchableAlert[],
): Promise<{ matcher: AlertMatcher; milliseconds: number }> {
  const startedAt = performance.now();
  const matcher = await AlertMatcher.compile(alerts);
  return { matcher, milliseconds: performance.now() - startedAt };
}

/** Processor time in microseconds, of search values and of matching, and the milliseconds of each batch. */
function measure(matcher: AlertMatcher, records: readonly MatchedRecord[]) {
  const measured = { analysis: 0, matching: 0, matches: 0, batches: [] as number[] };
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH);
    const startedAt = performance.now();
    const began = process.cpuUsage().user;
    for (const { texts, language } of batch) searchValue(texts, language);
    const analysed = process.cpuUsage().user;
    for (const record of batch) measured.matches += matcher.match(record).length;
    measured.batches.push(performance.now() - startedAt);
    measured.analysis += analysed - began;
    measured.matching += process.cpuUsage().user - analysed;
  }
  return measured;
}

/** The words of texts that alerts may watch, each once. */
function wordsOf(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const words = new Set(texts.flatMap((text) => text.toLowerCase().match(/[a-z]{3,}/g) ?? []));
  for (const text of texts)
    for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
      const form = stem(word, 'en');
      counts.set(form, (counts.get(form) ?? 0) + 1);
    }
  const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, COMMON_STEMS);
  const isCommon = new Set(common.map(([form]) => form));
  return [...words].filter((word) => !isCommon.has(stem(word, 'en')));
}

/** Two keywords of one word and one phrase of two; a fifth of the alerts watch only one forum. */
function keywordAlerts(count: number, words: readonly string[], random: () => number): MatchableAlert[] {
  const any = (): string => words[Math.floor(random() * words.length)]!;
  return Array.from({ length: count }, (_, id) => ({
    id: String(id),
    keywords: [any(), any(), `${any()} ${any()}`],
    forums: random() < 0.2 ? ['technology'] : [],
  }));
}

/** Queries of three to eight terms, half of them with an exclusion; a tenth of the terms are phrases, a twentieth prefixes. */
function queryAlerts(count: number, words: readonly string[], random: () => number): MatchableAlert[] {
  const any = (): string => words[Math.floor(random() * words.length)]!;
  const term = (): string => {
    const kind = random();
    if (kind < 0.1) return `"${any()} ${any()}"`;
    return kind < 0.15 ? `${any().slice(0, PREFIX_LENGTH)}*` : any();
  };
  return Array.from({ length: count }, (_, id) => {
    const terms = Array.from({ length: 2 + Math.floor(random() * 6) }, term);
    const last = random() < 0.5 ? `-${any()}` : any();
    return { id: String(id), keywords: [], query: `(${terms.join(' OR ')}) ${last}`, forums: [] };
  });
}

/** The first words of longer texts are the title. */
function recordOfText(text: string, index: number): MatchedRecord {
  const [, title = '', selftext = text] = /^(.{40}\S*)\s(.*)$/s.exec(text) ?? [];
  return recordOf({
    id: `t3_${index}`,
    forum: 'technology',
    title,
    selftext,
    author: 'ann',
    createdUtc: new Date(0),
  });
}
