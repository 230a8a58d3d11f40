import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { mixBits } from '../../common/hash.js';
import { probability } from '../../common/probability.js';
import { fitRows, logitOf, type WeightedRows } from './row-classifier.js';
import type { WordRows } from './word-rows.js';

/** Texts of which a query found some. */
export interface Searched extends WordRows {
  /** By row: whether the query found it. */
  isFound: readonly boolean[];
  found: number;
  /** By word: whether it is one of the query's. */
  isQueryWord: readonly boolean[];
  /** By word: how many rows that have it were found. */
  foundWith: readonly number[];
}

/** How much rows are like those that were found, apart from the words of the query. */
export interface RowScores {
  /** By row, from models that did not see it. */
  logits: Float64Array;
  /** By row: how probably it is about the same; 1 for rows that were found. */
  posterior: Float64Array;
  /** Expected numbers of rows that were not found: by the share that was found of what looks so, and after two rounds. */
  byShare: number;
  byRounds: number;
}

/** Rarer words say nothing about other rows. */
const LEAST_ROWS = 3;
/** Rounds in which probable rows join the found ones. More let the number drift upwards. */
const ROUNDS = 6;
/** The round whose sum is an estimate. */
const COUNTED_ROUND = 1;

/** Scores rows by models that learn what was found, then also what probably should have been. */
export async function scoreRows(searched: Searched, turn: EventLoopTurn): Promise<RowScores> {
  const { isFound, found } = searched;
  const rows = weightedRows(searched);
  const posterior = Float64Array.from(isFound, Number);
  let logits = await foreseen(rows, posterior, turn);
  const open = isFound.flatMap((is, row) => (is ? [] : [row]));
  const share = logits.reduce((sum, logit, row) => sum + (isFound[row] ? probability(logit) : 0), 0) / found;
  const update = (chance: (logit: number) => number): number => {
    for (const row of open) posterior[row] = chance(logits[row]!);
    return open.reduce((sum, row) => sum + posterior[row]!, 0);
  };
  // Of rows that look alike, the share that was found is that of the found ones.
  const byShare = update((logit) => Math.min(1, ((1 - share) / share) * Math.exp(logit)));
  let byRounds = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    logits = await foreseen(rows, posterior, turn);
    const sum = update(probability);
    if (round === COUNTED_ROUND) byRounds = sum;
  }
  return { logits, posterior, byShare, byRounds };
}

/** Logits of each half of the rows by a model of the other half. */
async function foreseen(
  rows: WeightedRows,
  targets: Float64Array,
  turn: EventLoopTurn,
): Promise<Float64Array> {
  const halves: [number[], number[]] = [[], []];
  // By hash, because what comes in turn may be in the order of the rows.
  for (let row = 0; row < targets.length; row += 1) halves[mixBits(row + 1) & 1]!.push(row);
  const logits = new Float64Array(targets.length);
  for (const [used, others] of [halves, [...halves].reverse()] as [number[], number[]][]) {
    const fitted = await fitRows(rows, { targets, used }, turn);
    for (const row of others) logits[row] = logitOf(rows.rows[row]!, rows.weights[row]!, fitted);
  }
  return logits;
}

/**
 * Words weigh by their rarity; those of the query nothing, since all that was found has them. Nor do words that nothing
 * found has: they may be other names of the same.
 */
function weightedRows({ words, rows, isQueryWord, foundWith }: Searched): WeightedRows {
  const rarity = words.map(({ rows: of }, word) =>
    isQueryWord[word]! || of.length < LEAST_ROWS ? 0 : Math.log((1 + rows.length) / (1 + of.length)),
  );
  const weights = rows.map((row) => {
    const values = Float64Array.from(row, (word) => rarity[word]!);
    const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0)) || 1;
    return values.map((value, at) => (foundWith[row[at]!] === 0 ? 0 : value / length));
  });
  return { rows, weights, size: words.length };
}
