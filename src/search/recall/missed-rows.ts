import type { RowScores, Searched } from './row-scores.js';

/** A number of rows with a 90 % interval. */
export interface Missed {
  estimate: number;
  low: number;
  high: number;
}

/** How to combine estimates of the rows missed for each row found; all are logarithms. */
export interface MissedModel {
  intercept: number;
  weights: readonly number[];
  /** Half the width of the 90 % interval, from what is left over when an event is left out. */
  half: number;
}

/** Learned from labelled events by scripts/training/evaluate-recall.ts. */
export const MISSED_MODEL: MissedModel = {
  intercept: 0.279,
  weights: [-0.479, -0.324, 0.388, 0.037, 1],
  half: 0.813,
};

/** Shares of the found rows that score at least as high as a row that is counted as missed. */
const SHARES = [0.5, 0.75];
/** Rows missed for each row found that are as good as none. */
const NOTHING = 0.01;
/** Words that lean on what was found: at most so many, each found so often and so many deviations above chance. */
const LEANING = { words: 40, found: 5, deviations: 2 };
/** A word leans on it clearly when its rows were found so often, or so many times as often as others. */
const CLEAR = { share: 0.9, times: 2 };

/** By word: how many standard deviations its rows were found more often than by chance. */
export function leaningsOf({ words, foundWith, found, rows }: Searched): number[] {
  const base = found / rows.length;
  return words.map(
    ({ rows: of }, word) =>
      (foundWith[word]! - of.length * base) / Math.sqrt(of.length * base * (1 - base) + 1),
  );
}

/** Estimates of the rows missed, each on its own: see `docs/better-queries.md`. */
export function missedSigns(searched: Searched, scores: RowScores): number[] {
  const { isFound, found } = searched;
  const { logits, byShare, byRounds } = scores;
  const alike = SHARES.map((share) => {
    const least = foundAt(searched, logits, share);
    return logits.reduce((sum, logit, row) => sum + (!isFound[row] && logit >= least ? 1 : 0), 0) / share;
  });
  return [byShare, byRounds, byWords(searched), ...alike].map((missed) => Math.log((missed + 1) / found));
}

/** The logit that this share of the found rows reaches. */
export function foundAt({ isFound, found }: Searched, logits: Float64Array, share: number): number {
  const own = logits.filter((_, row) => isFound[row]).sort();
  return own[found - 1 - Math.floor(share * (found - 1))]!;
}

/** Rows with words that lean on what was found: as of two catches, the share of those found is that of all. */
function byWords(searched: Searched): number {
  const { words, rows, isFound, isQueryWord, foundWith, found } = searched;
  const leanings = leaningsOf(searched);
  const clear = Math.min(CLEAR.share, (CLEAR.times * found) / rows.length);
  const leaning = words
    .map((_, word) => word)
    .filter(
      (word) =>
        !isQueryWord[word]! && foundWith[word]! >= LEANING.found && leanings[word]! > LEANING.deviations,
    )
    .sort((a, b) => leanings[b]! - leanings[a]!)
    .slice(0, LEANING.words)
    .filter((word) => foundWith[word]! / words[word]!.rows.length > clear);
  const caught = new Set(leaning.flatMap((word) => words[word]!.rows));
  const both = [...caught].filter((row) => isFound[row]).length;
  return both === 0 ? 0 : (found * (caught.size - both + 0.5)) / (both + 0.5);
}

/** The rows missed; none, when no other row is as much alike as most of the found ones. */
export function missedRows(searched: Searched, signs: readonly number[], model = MISSED_MODEL): Missed {
  const { found, rows } = searched;
  const most = rows.length - found;
  const ratio = model.weights.reduce((sum, weight, at) => sum + weight * signs[at]!, model.intercept);
  const shifted = (shift: number): number => Math.min(most, found * Math.exp(ratio + shift));
  const high = shifted(model.half);
  if (Math.exp(signs.at(-1)!) <= NOTHING + 1 / found) return { estimate: 0, low: 0, high };
  return { estimate: shifted(0), low: shifted(-model.half), high };
}
