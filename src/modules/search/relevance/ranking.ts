import type { QueryWord } from '../query/tsquery.js';
import { wordWeight } from './score.js';

/** Words that rank at most; further ones of a long query only match. */
export const MOST_RANKED_WORDS = 32;
/** A score, the average length and the weights: what a position in the order of relevance consists of. */
const POSITION = /^(\d+(?:\.\d+)?(?:e-\d+)?)((?:,\d{1,6}(?:\.\d{1,3})?){1,33})$/;

/** A word that ranks, with its weight. */
export interface RankedWord extends QueryWord {
  weight: number;
}

/**
 * What the scores of rows follow from besides the rows. Every position contains it, so that a walk over pages keeps the
 * scores of its first page, whatever is written meanwhile.
 */
export interface Ranking {
  words: readonly RankedWord[];
  /** Average number of different words in a row. */
  averageLength: number;
}

/** How many rows there are, and how many of them have each word. */
export interface WordStatistics {
  rows: number;
  averageLength: number;
  /** In the order of the words. */
  rowsWithWord: readonly number[];
}

/** The ranking of words by how many rows have them. */
export function rankingOf(
  words: readonly QueryWord[],
  { rows, averageLength, rowsWithWord }: WordStatistics,
): Ranking {
  return {
    words: words.map((word, index) => ({ ...word, weight: wordWeight(rows, rowsWithWord[index]!) })),
    averageLength: Math.max(1, Math.round(averageLength * 10) / 10),
  };
}

/** The sort value of a row without its score, as a cursor carries it. */
export const rankingText = ({ words, averageLength }: Ranking): string =>
  [averageLength, ...words.map(({ weight }) => weight)].map((value) => `,${value}`).join('');

/** Whether a text can be a score with a {@link rankingText}; a caller can make up a cursor. */
export function isRankedPosition(text: string): boolean {
  const [, score, ranking] = POSITION.exec(text) ?? [];
  return score !== undefined && Number.isFinite(Number(score)) && Number(ranking!.split(',')[1]) >= 1;
}

/** The score of a position that {@link isRankedPosition} accepts. */
export const scoreAt = (position: string): number => Number(position.split(',', 1)[0]);

/** The ranking of a position that {@link isRankedPosition} accepts; null when it is one of other words. */
export function rankingAt(words: readonly QueryWord[], position: string): Ranking | null {
  const [averageLength, ...weights] = position.split(',').slice(1).map(Number);
  if (weights.length !== words.length) return null;
  return {
    words: words.map((word, index) => ({ ...word, weight: weights[index]! })),
    averageLength: averageLength!,
  };
}
