import type { QueryWord } from '../../query/ranked-slots.js';
import { type Ranking, rankingOf, type RankedWord } from '../../relevance/ranking.js';
import { frequencyOf, saturationOf, wordScore } from '../../relevance/score.js';
import { LENGTH_COLUMN, scoreSql } from '../../relevance/score-sql.js';
import type { SearchFilter } from '../../search-request.js';
import { BestRows } from './best-rows.js';
import { countBits, emptyBitmap, fill, readBits, roomForRows, SEGMENT_ROWS } from '../format/bitmap.js';
import type { Match, TermKey } from './match.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';
import { wordKey } from '../format/term-keys.js';
import { occurrencesAt, readRows, unitePostings } from '../format/term-postings.js';

/** A row by id with its score. */
export interface ScoredId {
  id: string;
  score: number;
}

/** Which part of the relevance order is read. */
export interface RankedRange {
  isDescending: boolean;
  /** Only rows after this one. */
  after: ScoredId | null;
  /** Maximum number of rows, at least 1. */
  limit: number;
}

const termsOf = ({ counted, others, isPrefix }: QueryWord): TermKey[] =>
  [...counted, ...others].map((lexeme) => ({ key: wordKey(lexeme), isWhole: !isPrefix }));

/** What ranking reads besides the words, whatever they are. */
export const FIRST_PAGE = { columns: [LENGTH_COLUMN], ids: true };

const needsOf = (words: readonly QueryWord[]) => ({ ...FIRST_PAGE, terms: words.flatMap(termsOf) });

const WITH_WORD = emptyBitmap();

/** The ranking of words by the rows of all segments. */
export async function rankingBySegments(
  snapshot: SegmentSnapshot,
  words: readonly QueryWord[],
): Promise<Ranking> {
  const rowsWithWord = words.map(() => 0);
  let [rows, length] = [0, 0];
  await snapshot.eachSegment({ kind: 'all' }, needsOf(words), (segment) => {
    rows += segment.rows;
    length += segment.sumOf(LENGTH_COLUMN);
    words.forEach((word, index) => {
      fill(WITH_WORD, 0);
      for (const { key, isWhole } of termsOf(word))
        for (const postings of segment.terms(key, isWhole)) unitePostings(WITH_WORD, postings);
      rowsWithWord[index]! += countBits(WITH_WORD);
    });
  });
  return rankingOf(words, { rows, averageLength: length / Math.max(1, rows), rowsWithWord });
}

/** The first matching rows in relevance order, and how many match. */
export async function rankMatching(
  snapshot: SegmentSnapshot,
  filter: SearchFilter,
  match: Match,
  ranking: Ranking,
  range: RankedRange,
): Promise<{ rows: ScoredId[]; total: number }> {
  let found: ScoredId[] = [];
  const inOrder = (a: ScoredId, b: ScoredId): number => compare(a, b) * (range.isDescending ? -1 : 1);
  const keepFirst = (): void => {
    found = found.sort(inOrder).slice(0, range.limit);
  };
  let total = 0;
  await snapshot.eachSegment(match, needsOf(ranking.words), (segment, rows) => {
    const count = readBits(rows, ROWS);
    total += count;
    const last = found.length < range.limit ? null : found.at(-1)!.score;
    found.push(...bestOf(segment, count, ranking, range, last));
    keepFirst();
  });
  const changed = await snapshot.changedRows<ScoredId>((parameters) => {
    const { join, expression } = scoreSql(ranking, parameters);
    return { columns: `id::text AS id, ${expression} AS score`, join };
  }, filter);
  total += changed.length;
  for (const row of changed) if (isBehind(row, range)) found.push(row);
  keepFirst();
  return { rows: found, total };
}

/** Relevance order, ascending. */
function compare(a: ScoredId, b: ScoredId): number {
  return a.score - b.score || (a.id < b.id ? -1 : Number(a.id > b.id));
}

function isBehind(row: ScoredId, { after, isDescending }: RankedRange): boolean {
  if (after === null) return true;
  return isDescending ? compare(row, after) < 0 : compare(row, after) > 0;
}

/**
 * The best rows after the position, among the first `count` of {@link ROWS}, without those whose scores come after
 * `last`. Rows are numbered in the order of their ids.
 */
function bestOf(
  segment: Segment,
  count: number,
  ranking: Ranking,
  range: RankedRange,
  last: number | null,
): ScoredId[] {
  const { after, isDescending, limit } = range;
  scoreRows(segment, count, ranking);
  const best = new BestRows(limit, isDescending);
  // Of the rows with the position's score, those up to the position have numbers from `place` on when descending,
  // otherwise numbers below it.
  const place = after === null ? 0 : segment.rowsBefore(after.id, !isDescending);
  // Visited in id order, so that of many rows with the same score only the first ones are kept.
  for (let index = 0; index < count; index += 1) {
    const at = isDescending ? count - 1 - index : index;
    const score = SCORES[at]!;
    if (last !== null && (isDescending ? score < last : score > last)) continue;
    const row = ROWS[at]!;
    const isBefore =
      after !== null && (score === after.score ? row >= place : score > after.score) === isDescending;
    if (!isBefore) best.add(row, score);
  }
  return best.rows().map(({ row, score }) => ({ id: segment.idOf(row), score }));
}

// Reused for one segment after another: the matching rows, their scores, and by row the occurrences of a word.
const ROWS = roomForRows();
const SCORES = new Float64Array(SEGMENT_ROWS);
const OCCURRENCES = new Uint8Array(SEGMENT_ROWS);

/** Writes the scores of the first `count` of {@link ROWS} to {@link SCORES}. */
function scoreRows(segment: Segment, count: number, { words, averageLength }: Ranking): void {
  SCORES.fill(0, 0, count);
  const lengths = segment.column(LENGTH_COLUMN);
  for (const word of words) {
    readOccurrences(segment, word);
    for (let index = 0; index < count; index += 1) {
      const row = ROWS[index]!;
      const occurrences = OCCURRENCES[row]!;
      if (occurrences === 0) continue;
      const inTitle = word.field === 'text' ? 0 : occurrences >>> 4;
      const frequency = frequencyOf(inTitle, word.field === 'title' ? 0 : occurrences & 15);
      SCORES[index]! += wordScore(word.weight, frequency, saturationOf(lengths[row]!, averageLength));
    }
  }
}

const ROWS_OF_TERM = roomForRows();

/**
 * Writes the occurrences of a word to {@link OCCURRENCES}, four bits for the title and four for the rest: those of its
 * counted lexemes, or 1 where only others occur. For a prefix it records whether it occurs, not how often.
 */
function readOccurrences(segment: Segment, { counted, others, isPrefix }: RankedWord): void {
  OCCURRENCES.fill(0);
  for (const lexeme of counted)
    addOccurrences(segment, lexeme, isPrefix ? uniteOccurrences : addUpOccurrences, isPrefix);
  for (const lexeme of others) addOccurrences(segment, lexeme, atLeastPresent, false);
}

function addOccurrences(
  segment: Segment,
  lexeme: string,
  combine: (before: number, occurrences: number) => number,
  isPrefix: boolean,
): void {
  for (const postings of segment.terms(wordKey(lexeme), !isPrefix)) {
    const { block, rows } = postings;
    const at = occurrencesAt(postings);
    readRows(postings, ROWS_OF_TERM);
    for (let index = 0; index < rows; index += 1) {
      const row = ROWS_OF_TERM[index]!;
      OCCURRENCES[row] = combine(OCCURRENCES[row]!, block[at + index]!);
    }
  }
}

const addUpOccurrences = (before: number, occurrences: number): number =>
  before === 0
    ? occurrences
    : (Math.min(15, (before >>> 4) + (occurrences >>> 4)) << 4) |
      Math.min(15, (before & 15) + (occurrences & 15));

const uniteOccurrences = (before: number, occurrences: number): number => before | PRESENCE[occurrences]!;

const atLeastPresent = (before: number, occurrences: number): number => {
  const present = PRESENCE[occurrences]!;
  return before | ((before & 0xf0) === 0 ? present & 0xf0 : 0) | ((before & 15) === 0 ? present & 15 : 0);
};

/** Occurrence bytes reduced to whether there are any in the title and any in the rest. */
const PRESENCE = Uint8Array.from(
  { length: 256 },
  (_, occurrences) => (occurrences >>> 4 > 0 ? 16 : 0) | ((occurrences & 15) > 0 ? 1 : 0),
);
