import type { EventLoopTurn } from '../../common/event-loop-turn.js';
import { formRarity } from '../../enrichment/keywords/word-rarity.js';
import type { WordRows } from '../../search/recall/word-rows.js';
import { isFunctionWord } from '../../text/function-words.js';
import { communitiesOf } from './communities.js';

/** Words by which texts name their subjects. */
export interface SubjectNames {
  /** By word: the subject that it names, or -1. */
  subjects: Int32Array;
  /** Number of subjects. */
  count: number;
  /** By word: how much more frequent it is here than in general, in halvings of a collection. */
  excesses: Float64Array;
  /** By word of a name: how many times as much alike its texts are as all texts. */
  coherences: Float64Array;
}

/** Names are in this many rows at least, and in no more than this share of them. */
const NAMED = { rows: 6, share: 0.5 };
/** Least excess and least coherence of a name. */
const LEAST = { excess: 4, coherence: 1.5 };
/** Names and subjects with the most rows are kept; of one row, so many names are read. */
const MOST = { names: 1_000, subjects: 40, ofRow: 20 };

/**
 * Finds names in texts of these languages: words that are far more frequent here than in general, and whose texts are alike apart from the word.
 * Those that stand together more than by chance name one subject.
 */
export async function subjectNames(
  read: WordRows,
  languages: readonly string[],
  turn: EventLoopTurn,
): Promise<SubjectNames> {
  const { words, rows } = read;
  const excesses = new Float64Array(words.length);
  for (const [at, { form, rows: of }] of words.entries()) {
    if (turn.isOver) await turn.next();
    const isFunction = isFunctionWord(form, languages[of[of.length >> 1]!]!);
    excesses[at] = (isFunction ? 0 : formRarity(form)) + Math.log2(of.length / rows.length);
  }
  const weights = await weightsOf(read, excesses, turn);
  const alike = likeness(read, weights);
  const all = alike(
    rows.map((_, row) => row),
    -1,
  );
  const coherences = new Float64Array(words.length);
  const names: number[] = [];
  for (const [word, { rows: of }] of words.entries()) {
    if (of.length < NAMED.rows || of.length > NAMED.share * rows.length || excesses[word]! < LEAST.excess)
      continue;
    if (turn.isOver) await turn.next();
    coherences[word] = alike(of, word) / all;
    if (coherences[word] >= LEAST.coherence) names.push(word);
  }
  names.sort((a, b) => words[b]!.rows.length - words[a]!.rows.length || a - b);
  return { ...(await subjectsOf(read, names.slice(0, MOST.names), turn)), excesses, coherences };
}

/** By row: the weights of its words, of length 1. Rarer words have more, function words and those of one row none. */
async function weightsOf(
  { words, rows }: WordRows,
  excesses: Float64Array,
  turn: EventLoopTurn,
): Promise<Float64Array[]> {
  const weightOf = Float64Array.from(words, ({ rows: of }, word) => {
    const share = Math.log2(of.length / rows.length);
    return of.length < 2 || excesses[word]! <= share ? 0 : -share;
  });
  const found: Float64Array[] = [];
  for (const row of rows) {
    if (turn.isOver) await turn.next();
    const weights = Float64Array.from(row, (word) => weightOf[word]!);
    const length = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0)) || 1;
    found.push(weights.map((weight) => weight / length));
  }
  return found;
}

/** The mean cosine of each two of some rows, apart from a word. */
function likeness(
  { words, rows }: WordRows,
  weights: readonly Float64Array[],
): (of: readonly number[], without: number) => number {
  const sums = new Float64Array(words.length);
  return (of, without) => {
    let own = 0;
    for (const row of of)
      rows[row]!.forEach((word, at) => {
        if (word === without) return;
        const weight = weights[row]![at]!;
        sums[word]! += weight;
        own += weight * weight;
      });
    let together = 0;
    for (const row of of)
      for (const word of rows[row]!) {
        together += sums[word]! * sums[word]!;
        sums[word] = 0;
      }
    return (together - own) / (of.length * (of.length - 1) || 1);
  };
}

async function subjectsOf(
  { words, rows }: WordRows,
  names: readonly number[],
  turn: EventLoopTurn,
): Promise<Pick<SubjectNames, 'subjects' | 'count'>> {
  const numbers = new Map(names.map((word, at) => [word, at]));
  const links = names.map(() => new Map<number, number>());
  for (const row of rows) {
    if (turn.isOver) await turn.next();
    const named = [...row].flatMap((word) => numbers.get(word) ?? []).slice(0, MOST.ofRow);
    for (const one of named)
      for (const other of named)
        if (one !== other) links[one]!.set(other, (links[one]!.get(other) ?? 0) + 1 / (named.length - 1));
  }
  const groups = await communitiesOf(links, turn);
  const sizes = new Map<number, number>();
  names.forEach((word, at) =>
    sizes.set(groups[at]!, (sizes.get(groups[at]!) ?? 0) + words[word]!.rows.length),
  );
  const kept = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, MOST.subjects);
  const subjectOf = new Map(kept.map(([group], subject) => [group, subject]));
  const subjects = new Int32Array(words.length).fill(-1);
  names.forEach((word, at) => (subjects[word] = subjectOf.get(groups[at]!) ?? -1));
  return { subjects, count: kept.length };
}
