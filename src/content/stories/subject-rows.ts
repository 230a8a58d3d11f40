import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import type { WordRows } from '../../search/recall/word-rows.js';
import type { SubjectNames } from './subject-names.js';

/** Which rows are about subjects. */
export interface SubjectRows {
  /** By row: its subject, or -1. */
  subjects: Int32Array;
  /** By word, for each subject: how much the word says for it, as log-odds. */
  evidence: Float64Array;
}

/** Log-odds against a subject before any word is read. */
const PRIOR = 2;
/** A name alone is enough: log-odds that remain. */
const NAME = 1;
const MOST_EVIDENCE = 4;
/** Rows that are added to those of a word, with the share that all rows have. */
const SMOOTHING = 10;
/** Least excess and least rows of words that say something. */
const LEAST = { excess: 2, rows: 3 };
const SWEEPS = 8;
const ENOUGH = 0.5;

/**
 * Finds the rows of subjects from their names, in sweeps: what a word says for a subject is learned from how often its
 * rows are about it by their other words.
 */
export async function subjectRows(
  { words, rows }: WordRows,
  names: SubjectNames,
  turn: EventLoopTurn,
): Promise<SubjectRows> {
  const { count } = names;
  const evidence = new Float64Array(words.length * count);
  names.subjects.forEach((subject, word) => {
    if (subject >= 0) evidence[word * count + subject] = Math.log(names.coherences[word]!);
  });
  raiseNames(evidence, names);
  const subjects = new Int32Array(rows.length).fill(-1);
  const [sums, odds] = [new Float64Array(count), new Float64Array(count)];
  for (let sweep = 0; count > 0 && sweep < SWEEPS; sweep += 1) {
    const [shares, expected] = [new Float64Array(count), new Float64Array(evidence.length)];
    for (const [at, row] of rows.entries()) {
      if (turn.isOver) await turn.next();
      sums.fill(-PRIOR);
      for (const word of row)
        for (let one = 0; one < count; one += 1) sums[one]! += evidence[word * count + one]!;
      probabilities(sums, null, odds);
      for (let one = 0; one < count; one += 1) shares[one]! += odds[one]! / rows.length;
      subjects[at] = odds.findIndex((value) => value > ENOUGH);
      for (const word of row) {
        const start = word * count;
        probabilities(sums, evidence.subarray(start, start + count), odds);
        for (let one = 0; one < count; one += 1) expected[start + one]! += odds[one]!;
      }
    }
    for (const [word, { rows: of }] of words.entries()) {
      if (turn.isOver) await turn.next();
      const isTelling = of.length >= LEAST.rows && names.excesses[word]! >= LEAST.excess;
      for (let at = word * count, one = 0; one < count; at += 1, one += 1)
        evidence[at] = isTelling ? learned(expected[at]!, of.length, shares[one]!) : 0;
    }
    raiseNames(evidence, names);
  }
  return { subjects, evidence };
}

/** How probable each subject is, or none, without what one word says. */
function probabilities(sums: Float64Array, without: Float64Array | null, into: Float64Array): void {
  let total = 1;
  for (let one = 0; one < sums.length; one += 1)
    total += into[one] = Math.exp(Math.min(30, sums[one]! - (without?.[one] ?? 0)));
  for (let one = 0; one < sums.length; one += 1) into[one]! /= total;
}

function learned(expected: number, rows: number, share: number): number {
  const usual = Math.min(0.9, Math.max(1e-4, share));
  const own = (expected + SMOOTHING * usual) / (rows + SMOOTHING);
  const value = Math.log(own / (1 - own)) - Math.log(usual / (1 - usual));
  return Math.max(0, Math.min(MOST_EVIDENCE, value));
}

/** Lets each name be enough for the subject that it says most for. */
function raiseNames(evidence: Float64Array, { subjects, count }: SubjectNames): void {
  subjects.forEach((named, word) => {
    if (named < 0) return;
    const start = word * count;
    let best = named;
    for (let one = 0; one < count; one += 1) if (evidence[start + one]! > evidence[start + best]!) best = one;
    evidence[start + best] = Math.max(evidence[start + best]!, PRIOR + NAME);
  });
}
