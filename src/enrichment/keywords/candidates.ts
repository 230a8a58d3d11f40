import { mixBits } from '../../common/hash.js';
import { Kind, type Token } from '../text/tokens.js';
import { type WordTable } from '../text/word-table.js';
import { type Term } from '../text/word.js';
import { LONGEST_WORD, phraseKey, termOf } from './terms.js';

/** A phrase of one to three words that may be a keyword, with its counts. */
export interface Candidate {
  /** Where it first occurs: its words are `run[at]` and those after. */
  run: readonly Unit[];
  at: number;
  /** Hash of its stems, which inflected forms of the same words share. */
  key: number;
  words: number;
  count: number;
  /** Index of its first word among the text's words. */
  first: number;
  inTitle: boolean;
  /** Whether it is capitalised inside a sentence. */
  capital: boolean;
  head: Term;
  tail: Term;
  /** Occurrences of longer candidates that contain it. */
  inside: number;
}

/** A word, or several joined by hyphens. */
interface Unit {
  text: string;
  term: Term;
  number: boolean;
  capital: boolean;
}

const LONGEST = 3;
/** Words that may occur inside a phrase of three. */
const INNER = new Set(['of', 'vs']);

/** The candidates of a post. */
export interface CandidateSet {
  candidates: Map<number, Candidate>;
  /** Number of words. */
  length: number;
  /** Share of words inside sentences that are capitalised. */
  capitals: number;
}

/**
 * All candidates of a post, title first. Linear in the number of tokens. `stopWords` are those of its language, null for
 * English.
 */
export function collectCandidates(
  title: readonly Token[],
  body: readonly Token[],
  words: WordTable,
  stopWords: ReadonlySet<string> | null = null,
): CandidateSet {
  const set = { candidates: new Map<number, Candidate>(), length: 0, capitals: 0 };
  addPart(title, true, words, stopWords, set);
  addPart(body, false, words, stopWords, set);
  set.capitals /= Math.max(1, set.length);
  return set;
}

/** Adds the runs of words between stops; `set.capitals` is a count until all parts have been added. */
function addPart(
  tokens: readonly Token[],
  inTitle: boolean,
  words: WordTable,
  stopWords: ReadonlySet<string> | null,
  set: CandidateSet,
): void {
  let run: Unit[] = [];
  let sentenceStart = true;
  const flush = (): void => {
    addRun(run, set.length - run.length, inTitle, set.candidates);
    run = [];
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    if (token.kind !== Kind.Word && token.kind !== Kind.Number) {
      flush();
      sentenceStart = token.text !== ',';
      continue;
    }
    let { text, word } = token;
    let parts = 1;
    while (tokens[at + 1]?.joined && text.length < LONGEST_WORD) {
      text += `-${tokens[++at]!.text}`;
      parts++;
    }
    if (text.endsWith("'s")) text = text.slice(0, -2);
    if (!word || text !== word.text) word = words.get(text);
    const inner = token.capital && !sentenceStart;
    if (inner) set.capitals++;
    const number = token.kind === Kind.Number && parts === 1;
    run.push({ text, term: termOf(word, stopWords), number, capital: inner && !inTitle });
    set.length++;
    sentenceStart = false;
  }
  flush();
}

function addRun(
  run: readonly Unit[],
  start: number,
  inTitle: boolean,
  candidates: Map<number, Candidate>,
): void {
  for (let at = 0; at < run.length; at++) {
    if (run[at]!.term.stop) continue;
    let hash = 0;
    let inner: Candidate | null = null;
    for (let words = 1; words <= LONGEST && at + words <= run.length; words++) {
      const tail = run[at + words - 1]!;
      hash = mixBits(Math.imul(hash, 0x9e3779b1) ^ tail.term.stem);
      if (tail.term.stop) {
        if (words === 2 && INNER.has(tail.text)) continue;
        break;
      }
      if (words === 1 && tail.number) continue;
      const key = phraseKey(hash);
      let candidate = candidates.get(key);
      if (!candidate) {
        candidate = newCandidate(run, at, words, key, start + at, inTitle);
        candidates.set(key, candidate);
      }
      count(candidate, run[at]!, tail, inner, candidates);
      inner = candidate;
    }
  }
}

function newCandidate(
  run: readonly Unit[],
  at: number,
  words: number,
  key: number,
  first: number,
  inTitle: boolean,
): Candidate {
  const head = run[at]!.term;
  const tail = run[at + words - 1]!.term;
  return { run, at, words, key, first, inTitle, count: 0, inside: 0, capital: false, head, tail };
}

function count(
  candidate: Candidate,
  head: Unit,
  tail: Unit,
  inner: Candidate | null,
  candidates: ReadonlyMap<number, Candidate>,
): void {
  candidate.count++;
  if (head.capital && tail.capital) candidate.capital = true;
  if (inner) inner.inside++;
  if (candidate.words > 1) {
    const last = candidates.get(tail.term.key);
    if (last) last.inside++;
  }
}

/** The candidate in lower case, as it first occurs in the text; `between` separates its words. */
export function phraseOf({ run, at, words }: Candidate, between = ' '): string {
  return run
    .slice(at, at + words)
    .map((unit) => unit.text)
    .join(between);
}
