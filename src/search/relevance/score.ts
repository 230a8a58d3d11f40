/** An occurrence in the title counts as this many elsewhere. */
export const TITLE_WEIGHT = 3;
/** Occurrences that give a word half of its weight in a text of average length (`k1` of BM25). */
export const SATURATION = 1.2;
/** Share of that number that grows with the length of a text (`b` of BM25). */
export const LENGTH_SHARE = 0.75;

/** Maximum number of counted occurrences of a word, both in the title and outside it. */
export const MOST_OCCURRENCES = 15;

/** Minimum weight, so that occurrences of a word that every row contains still affect the order. */
const LEAST_WEIGHT = 0.01;
/** Weights are rounded to a thousandth, because cursors carry them. */
const WEIGHT_STEPS = 1_000;

/** A word of a query in one row. */
export interface WordInRow {
  /** From {@link wordWeight}. */
  weight: number;
  /** From {@link frequencyOf}. */
  frequency: number;
}

/** How well a row answers a query: the sum of {@link wordScore} over the words of the query in their order, 0 or more. */
export function scoreOf(words: readonly WordInRow[], length: number, averageLength: number): number {
  const saturation = saturationOf(length, averageLength);
  return words.reduce((sum, { weight, frequency }) => sum + wordScore(weight, frequency, saturation), 0);
}

/** A word's contribution to the score of a row: increases with its frequency, up to its weight (BM25). */
export const wordScore = (weight: number, frequency: number, saturation: number): number =>
  (weight * frequency) / (frequency + saturation);

/** Occurrences that give a word half of its weight in a text of this length. Lengths are numbers of distinct words. */
export const saturationOf = (length: number, averageLength: number): number =>
  SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / averageLength);

/** The frequency of a word, given its occurrences in the title and elsewhere. */
export const frequencyOf = (inTitle: number, elsewhere: number): number => TITLE_WEIGHT * inTitle + elsewhere;

/** The weight of a word that `rowsWithWord` of the rows contain (inverse document frequency), to three decimals. */
export function wordWeight(rows: number, rowsWithWord: number): number {
  const having = Math.min(rows, rowsWithWord);
  const weight = Math.log(1 + (rows - having + 0.5) / (having + 0.5));
  return Math.max(LEAST_WEIGHT, Math.round(weight * WEIGHT_STEPS) / WEIGHT_STEPS);
}
