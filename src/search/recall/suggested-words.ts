import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { probability } from '../../common/probability.js';
import { isFunctionWord } from '../../text/function-words.js';
import { foundAt, leaningsOf } from './missed-rows.js';
import type { RowScores, Searched } from './row-scores.js';

/** A word that would find more rows. */
export interface SuggestedWord {
  form: string;
  /** Rows that it would add, ascending, those of the sample. */
  added: readonly number[];
  /** How probably one of them is about the same. */
  precision: number;
}

/** A word with what says how precise it is. */
interface Candidate {
  word: number;
  added: number[];
  signs: number[];
}

/** Weights of a candidate's signs for the logit of its precision. */
export interface PrecisionModel {
  intercept: number;
  weights: readonly number[];
}

/** Learned from labelled events by scripts/training/evaluate-recall.ts. */
export const PRECISION_MODEL: PrecisionModel = {
  intercept: 1.582,
  weights: [0.131, -0.112, -0.665, 2.85, 0.119, 0.715, 0.752, 1.088, 1.342],
};

/** Candidates by each of two orders: how clearly a word leans on what was found, and how much it may add. */
const MOST_CANDIDATES = 40;
const LEAST = { found: 3, added: 5, letters: 3, more: 3 };
const LEAST_PRECISION = 0.77;
/** A word that is as often wrong as right is worth nothing. */
const WORTHLESS = 0.5;
const MOST_WORDS = 5;
/** Words of a text that may tell its subject. */
const TELLING = { rows: 3, share: 0.1 };
/** Keeps logits of shares finite. */
const SMOOTHING = 0.02;

/** The logit of a share from 0 to 1. */
export const logitOfShare = (share: number): number =>
  Math.log((share + SMOOTHING) / (1 + SMOOTHING - share));

/** Words that may be suggested; `missed` is the estimated number of rows missed. */
export async function candidatesOf(
  searched: Searched,
  { scores, missed }: { scores: RowScores; missed: number },
  turn: EventLoopTurn,
): Promise<Candidate[]> {
  const { words, isFound, isQueryWord, foundWith } = searched;
  const leanings = leaningsOf(searched);
  const possible = words.flatMap(({ form, rows: of }, word) => {
    if (foundWith[word]! < LEAST.found || of.length - foundWith[word]! < LEAST.added) return [];
    if (form.length < LEAST.letters || isFunctionWord(form, 'en')) return [];
    const added = of.filter((row) => !isFound[row]);
    const expected = added.reduce((sum, row) => sum + scores.posterior[row]!, 0);
    return [{ word, added, expected, leaning: isQueryWord[word]! ? Infinity : leanings[word]! }];
  });
  const byLeaning = [...possible].sort((a, b) => b.leaning - a.leaning || a.word - b.word);
  const byNumber = [...possible].sort((a, b) => b.expected - a.expected);
  const chosen = new Set([byLeaning, byNumber].flatMap((all) => all.slice(0, MOST_CANDIDATES)));
  const signsOf = signReader(searched, scores, missed);
  const candidates: Candidate[] = [];
  for (const { word, added, expected } of chosen) {
    if (turn.isOver) await turn.next();
    candidates.push({ word, added, signs: signsOf(word, added, expected / added.length) });
  }
  return candidates;
}

/** Reads what says how precise a word is. */
function signReader(
  searched: Searched,
  { logits }: RowScores,
  missed: number,
): (word: number, added: readonly number[], posterior: number) => number[] {
  const { words, rows, isQueryWord, foundWith, found } = searched;
  const base = logitOfShare(found / rows.length);
  const prior = logitOfShare(missed / (rows.length - found));
  const [half, most] = [foundAt(searched, logits, 0.5), foundAt(searched, logits, 0.75)];
  const [least, common] = [TELLING.rows, TELLING.share * rows.length];
  const foundShare = words.map(({ rows: of }, word) => {
    if (of.length < least || of.length > common) return null;
    return isQueryWord[word]! ? 1 : foundWith[word]! / of.length;
  });
  const company = (word: number, added: readonly number[]): number => {
    let [sum, count] = [0, 0];
    for (const row of added)
      for (const other of rows[row]!) {
        const share = other === word ? null : foundShare[other]!;
        if (share === null) continue;
        sum += share;
        count += 1;
      }
    return count === 0 ? 0 : sum / count;
  };
  return (word, added, posterior) => {
    const { rows: of, tags } = words[word]!;
    const reaching = (limit: number): number =>
      logitOfShare(added.filter((row) => logits[row]! >= limit).length / added.length);
    const own = logitOfShare(foundWith[word]! / of.length);
    return [
      own,
      own - base,
      logitOfShare(posterior),
      company(word, added),
      reaching(half),
      reaching(most),
      prior,
      Math.min(1, tags / of.length),
      isQueryWord[word]! ? 1 : 0,
    ];
  };
}

/** The words that add most of the right rows, of those that are probably precise. */
export function suggestedWords(
  { words }: Pick<Searched, 'words'>,
  candidates: readonly Candidate[],
  model = PRECISION_MODEL,
): SuggestedWord[] {
  const rated = candidates.map(({ word, added, signs }): SuggestedWord => {
    const logit = model.weights.reduce((sum, weight, at) => sum + weight * signs[at]!, model.intercept);
    const precision = Math.min(1, (1 + SMOOTHING) * probability(logit));
    return { form: words[word]!.form, added, precision };
  });
  const open = new Set(rated.filter(({ precision }) => precision >= LEAST_PRECISION));
  const covered = new Set<number>();
  const chosen: SuggestedWord[] = [];
  while (chosen.length < MOST_WORDS) {
    let [best, most]: [SuggestedWord | null, number] = [null, 0];
    for (const word of open) {
      const more = word.added.filter((row) => !covered.has(row)).length;
      const worth = more < LEAST.more ? 0 : more * (word.precision - WORTHLESS);
      if (worth > most) [best, most] = [word, worth];
    }
    if (best === null) break;
    chosen.push(best);
    open.delete(best);
    for (const row of best.added) covered.add(row);
  }
  return chosen;
}
