import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import type { WordRows } from '../../search/recall/word-rows.js';
import type { SubjectNames } from './subject-names.js';

/** Log-odds against a subject before any word is read. */
const PRIOR = 2;
/** A name alone is enough: log-odds that remain. */
const NAME = 1;
const MOST_EVIDENCE = 4;
/** Rows that are added to those of a word, with the share that all rows have. */
const SMOOTHING = 10;
/** Least excess and least rows of words that say something, and most such words. */
const LEAST = { excess: 2, rows: 3 };
const MOST_WORDS = 50_000;
const SWEEPS = 8;
const ENOUGH = 0.5;

/**
 * Finds the rows of subjects from their names, in sweeps: what a word says for a subject is learned from how often its
 * rows are about it by their other words. Returns the subject of each row, or -1.
 */
export async function subjectRows(
  { words, rows }: WordRows,
  names: SubjectNames,
  turn: EventLoopTurn,
): Promise<Int32Array> {
  const { count } = names;
  const telling = tellingWords(words, names);
  const numberOf = new Int32Array(words.length).fill(-1);
  telling.forEach((word, at) => (numberOf[word] = at));
  /** By telling word, for each subject: how much the word says for it, as log-odds. */
  const evidence = new Float64Array(telling.length * count);
  const named = telling.map((word) => names.subjects[word]!);
  named.forEach((subject, at) => {
    if (subject >= 0) evidence[at * count + subject] = Math.log(names.coherences[telling[at]!]!);
  });
  raiseNames(evidence, named, count);
  const subjects = new Int32Array(rows.length).fill(-1);
  const [sums, odds] = [new Float64Array(count), new Float64Array(count)];
  for (let sweep = 0; count > 0 && sweep < SWEEPS; sweep += 1) {
    const [shares, expected] = [new Float64Array(count), new Float64Array(evidence.length)];
    for (const [at, all] of rows.entries()) {
      if (turn.isOver) await turn.next();
      const row = all.map((word) => numberOf[word]!).filter((word) => word >= 0);
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
    for (const [number, word] of telling.entries()) {
      if (turn.isOver) await turn.next();
      for (let at = number * count, one = 0; one < count; at += 1, one += 1)
        evidence[at] = learned(expected[at]!, words[word]!.rows.length, shares[one]!);
    }
    raiseNames(evidence, named, count);
  }
  return subjects;
}

/** Words that may say something for a subject: those of most rows, if there are too many. */
function tellingWords(words: WordRows['words'], { excesses }: SubjectNames): number[] {
  const telling: number[] = [];
  words.forEach(({ rows }, word) => {
    if (rows.length >= LEAST.rows && excesses[word]! >= LEAST.excess) telling.push(word);
  });
  if (telling.length <= MOST_WORDS) return telling;
  return telling.sort((a, b) => words[b]!.rows.length - words[a]!.rows.length || a - b).slice(0, MOST_WORDS);
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
function raiseNames(evidence: Float64Array, named: readonly number[], count: number): void {
  named.forEach((subject, word) => {
    if (subject < 0) return;
    const start = word * count;
    let best = subject;
    for (let one = 0; one < count; one += 1) if (evidence[start + one]! > evidence[start + best]!) best = one;
    evidence[start + best] = Math.max(evidence[start + best]!, PRIOR + NAME);
  });
}
