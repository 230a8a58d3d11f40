import type { QueryWord } from '../query/tsquery.js';
import { type Ranking, rankingOf, type RankedWord } from '../relevance/ranking.js';
import { frequencyOf, saturationOf, wordScore } from '../relevance/score.js';
import { LENGTH_COLUMN, scoreSql } from '../relevance/score-sql.js';
import { BestRows } from './best-rows.js';
import {
  type Bitmap,
  countBits,
  emptyBitmap,
  forEachBit,
  forEachBitDescending,
  hasBit,
  SEGMENT_ROWS,
  setBit,
} from './bitmap.js';
import type { Match } from './match.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';
import { wordKey } from './term-keys.js';
import { forEachPosting, occurrencesOf } from './term-postings.js';

/** A row by id with its score. */
export interface ScoredId {
  id: string;
  score: number;
}

/** Which rows of the order of relevance are read. */
export interface RankedRange {
  isDescending: boolean;
  /** Only rows behind this one. */
  after: ScoredId | null;
  /** Rows at most, 1 or more. */
  limit: number;
}

const termOf = ({ lexeme, isPrefix }: QueryWord): { key: string; isWhole: boolean } => ({
  key: wordKey(lexeme),
  isWhole: !isPrefix,
});

const needsOf = (words: readonly QueryWord[]) => ({
  terms: words.map(termOf),
  columns: [LENGTH_COLUMN],
  ids: true,
});

/** The ranking of words by the rows of all segments; null when a segment has no lengths. */
export async function rankingBySegments<Filter extends { q?: string }>(
  snapshot: SegmentSnapshot<Filter>,
  words: readonly QueryWord[],
): Promise<Ranking | null> {
  const rowsWithWord = words.map(() => 0);
  let [rows, length, isComplete] = [0, 0, true];
  await snapshot.eachSegment({ kind: 'all' }, needsOf(words), (segment) => {
    isComplete &&= segment.hasColumn(LENGTH_COLUMN);
    if (!isComplete) return;
    rows += segment.rows;
    const lengths = segment.column(LENGTH_COLUMN);
    for (let row = 0; row < segment.rows; row += 1) length += lengths[row]!;
    words.forEach((word, index) => {
      const { key, isWhole } = termOf(word);
      for (const postings of segment.terms(key, isWhole)) rowsWithWord[index]! += postings.rows;
    });
  });
  return isComplete
    ? rankingOf(words, { rows, averageLength: length / Math.max(1, rows), rowsWithWord })
    : null;
}

/** The first matching rows of the order of relevance, in that order, and how many match; null when a segment has no lengths. */
export async function rankMatching<Filter extends { q?: string }>(
  snapshot: SegmentSnapshot<Filter>,
  filter: Filter,
  match: Match,
  ranking: Ranking,
  range: RankedRange,
): Promise<{ rows: ScoredId[]; total: number } | null> {
  const found: ScoredId[] = [];
  let [total, isComplete] = [0, true];
  await snapshot.eachSegment(match, needsOf(ranking.words), (segment, rows) => {
    isComplete &&= segment.hasColumn(LENGTH_COLUMN);
    if (!isComplete) return;
    total += countBits(rows);
    found.push(...bestOf(segment, rows, ranking, range));
  });
  if (!isComplete) return null;
  const changed = await snapshot.changedRows<ScoredId>((parameters) => {
    const { join, expression } = scoreSql(ranking, parameters);
    return { columns: `id::text AS id, ${expression} AS score`, join };
  }, filter);
  total += changed.length;
  for (const row of changed) if (isBehind(row, range)) found.push(row);
  const ordered = found.sort((a, b) => compare(a, b) * (range.isDescending ? -1 : 1));
  return { rows: ordered.slice(0, range.limit), total };
}

/** The order of relevance, ascending. */
function compare(a: ScoredId, b: ScoredId): number {
  return a.score - b.score || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function isBehind(row: ScoredId, { after, isDescending }: RankedRange): boolean {
  if (after === null) return true;
  return isDescending ? compare(row, after) < 0 : compare(row, after) > 0;
}

/** The first of the rows behind the position. Rows of a segment are numbered in the order of their ids. */
function bestOf(segment: Segment, rows: Bitmap, ranking: Ranking, range: RankedRange): ScoredId[] {
  const { after, isDescending, limit } = range;
  const scores = scoresOf(segment, rows, ranking);
  const best = new BestRows(limit, isDescending);
  // Of rows with the score of the position, those before it have numbers from `place` on, or below it.
  const place = after === null ? 0 : segment.rowsBefore(after.id, !isDescending);
  const isBefore = (row: number, score: number): boolean =>
    after !== null && (score === after.score ? row >= place : score > after.score) === isDescending;
  // In the order of ids, so that of many rows with the same score only the first ones are kept.
  (isDescending ? forEachBitDescending : forEachBit)(rows, (row) => {
    const score = scores[row]!;
    if (!isBefore(row, score)) best.add(row, score);
  });
  return best.rows().map(({ row, score }) => ({ id: segment.idOf(row), score }));
}

/** Used by one segment after another: arrays of this size keep the garbage collector busy. */
const SCORES = new Float64Array(SEGMENT_ROWS);

/** The scores of the rows by row, until the next call. */
function scoresOf(segment: Segment, rows: Bitmap, { words, averageLength }: Ranking): Float64Array {
  SCORES.fill(0);
  const lengths = segment.column(LENGTH_COLUMN);
  for (const word of words)
    forEachOccurrence(segment, rows, word, (row, inTitle, elsewhere) => {
      const frequency = frequencyOf(inTitle, word.inTitle ? 0 : elsewhere);
      SCORES[row]! += wordScore(word.weight, frequency, saturationOf(lengths[row]!, averageLength));
    });
  return SCORES;
}

/** Calls `visit` with each of the rows that has a word. Of a prefix it counts whether it occurs, not how often. */
function forEachOccurrence(
  segment: Segment,
  rows: Bitmap,
  word: RankedWord,
  visit: (row: number, inTitle: number, elsewhere: number) => void,
): void {
  const { key, isWhole } = termOf(word);
  if (isWhole) {
    for (const postings of segment.terms(key, isWhole))
      forEachPosting(postings, (row, index) => {
        if (!hasBit(rows, row)) return;
        const occurrences = occurrencesOf(postings, index);
        visit(row, occurrences >>> 4, occurrences & 15);
      });
    return;
  }
  const [inTitle, elsewhere] = [emptyBitmap(), emptyBitmap()];
  for (const postings of segment.terms(key))
    forEachPosting(postings, (row, index) => {
      const occurrences = occurrencesOf(postings, index);
      if (occurrences >>> 4 > 0) setBit(inTitle, row);
      if ((occurrences & 15) > 0) setBit(elsewhere, row);
    });
  forEachBit(rows, (row) => {
    const [titles, others] = [Number(hasBit(inTitle, row)), Number(hasBit(elsewhere, row))];
    if (titles + others > 0) visit(row, titles, others);
  });
}
