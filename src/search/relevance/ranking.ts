import type { QueryWord } from '../query/ranked-slots.js';
import { wordWeight } from './score.js';

/** A position in relevance order: a score, the average length and the weights. */
const POSITION = /^(\d+(?:\.\d+)?(?:e-\d+)?)((?:,\d{1,6}(?:\.\d{1,3})?){1,33})$/;

/** A ranking word with its weight. */
export interface RankedWord extends QueryWord {
  weight: number;
}

/**
 * Everything besides the row that its score depends on. Every position contains it, so that later pages keep the scores
 * of the first page whatever is written between pages.
 */
export interface Ranking {
  words: readonly RankedWord[];
  /** Average number of different words in a row. */
  averageLength: number;
}

/** How many rows there are, and how many contain each word. */
export interface WordStatistics {
  rows: number;
  averageLength: number;
  /** In the order of the words. */
  rowsWithWord: readonly number[];
}

/** The ranking of words by the number of rows that contain them. */
export function rankingOf(
  words: readonly QueryWord[],
  { rows, averageLength, rowsWithWord }: WordStatistics,
): Ranking {
  return {
    words: words.map((word, index) => ({ ...word, weight: wordWeight(rows, rowsWithWord[index]!) })),
    averageLength: Math.max(1, Math.round(averageLength * 10) / 10),
  };
}

/** A row's sort value without its score, as a cursor carries it. */
export const rankingText = ({ words, averageLength }: Ranking): string =>
  [averageLength, ...words.map(({ weight }) => weight)].map((value) => `,${value}`).join('');

/** Whether a text can be a score with a {@link rankingText}; a client can forge a cursor. */
export function isRankedPosition(text: string): boolean {
  const [, score, ranking] = POSITION.exec(text) ?? [];
  return score !== undefined && Number.isFinite(Number(score)) && Number(ranking!.split(',')[1]) >= 1;
}

/** The score of a position that {@link isRankedPosition} accepts. */
export const scoreAt = (position: string): number => Number(position.split(',', 1)[0]);

/**
 * The ranking of a position that {@link isRankedPosition} accepts; null when the position is for a different number of
 * words.
 */
export function rankingAt(words: readonly QueryWord[], position: string): Ranking | null {
  const [averageLength, ...weights] = position.split(',').slice(1).map(Number);
  if (weights.length !== words.length) return null;
  return {
    words: words.map((word, index) => ({ ...word, weight: weights[index]! })),
    averageLength: averageLength!,
  };
}
