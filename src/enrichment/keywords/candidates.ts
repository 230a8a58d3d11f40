import { mixBits } from '../text/hash.js';
import { Kind, type Token } from '../text/tokens.js';
import { type Term, type Terms } from './terms.js';

/** A phrase of one to three words that may be a keyword, with what was counted of it. */
export interface Candidate {
  /** As it stands in the text where it was first seen, lower case. */
  phrase: string;
  /** Hash of its stems: forms of the same words share it. */
  key: number;
  words: number;
  count: number;
  /** Index of its first word among the text's words. */
  first: number;
  inTitle: boolean;
  /** Written with a capital inside a sentence. */
  capital: boolean;
  head: Term;
  tail: Term;
  /** Occurrences of longer candidates that contain it. */
  inside: number;
}

interface Unit {
  text: string;
  term: Term;
  number: boolean;
  capital: boolean;
}

const LONGEST = 3;
/** Words that may stand inside a phrase of three. */
const INNER = new Set(['of', 'for', 'and', 'in', 'to', 'the', 'vs']);
const LONGEST_WORD = 60;

export interface CandidateSet {
  candidates: Map<number, Candidate>;
  /** Words in all. */
  length: number;
}

/** All candidates of a post, title first. Linear in the number of tokens. */
export function collectCandidates(
  title: readonly Token[],
  body: readonly Token[],
  terms: Terms,
): CandidateSet {
  const candidates = new Map<number, Candidate>();
  let length = addPart(title, true, 0, terms, candidates);
  length = addPart(body, false, length, terms, candidates);
  return { candidates, length };
}

function addPart(
  tokens: readonly Token[],
  inTitle: boolean,
  offset: number,
  terms: Terms,
  candidates: Map<number, Candidate>,
): number {
  let run: Unit[] = [];
  let position = offset;
  let at = 0;
  let sentenceStart = true;
  while (at < tokens.length) {
    const token = tokens[at]!;
    if (token.kind !== Kind.Word && token.kind !== Kind.Number) {
      addRun(run, position - run.length, inTitle, candidates);
      run = [];
      sentenceStart = token.text !== ',';
      at++;
      continue;
    }
    let text = token.text;
    let end = at + 1;
    while (end < tokens.length && tokens[end]!.joined && text.length < LONGEST_WORD)
      text += `-${tokens[end++]!.text}`;
    if (text.endsWith("'s")) text = text.slice(0, -2);
    const capital = token.capital && !sentenceStart && !inTitle;
    run.push({ text, term: terms.get(text), number: token.kind === Kind.Number && end === at + 1, capital });
    position++;
    sentenceStart = false;
    at = end;
  }
  addRun(run, position - run.length, inTitle, candidates);
  return position;
}

function addRun(
  run: readonly Unit[],
  start: number,
  inTitle: boolean,
  candidates: Map<number, Candidate>,
): void {
  for (let at = 0; at < run.length; at++) {
    const head = run[at]!;
    if (head.term.stop || head.text.length > LONGEST_WORD) continue;
    let phrase = '';
    let key = 0;
    let inner: Candidate | null = null;
    for (let size = 1; size <= LONGEST && at + size <= run.length; size++) {
      const tail = run[at + size - 1]!;
      if (tail.text.length > LONGEST_WORD) break;
      phrase = size === 1 ? tail.text : `${phrase} ${tail.text}`;
      key = mixBits(Math.imul(key, 0x9e3779b1) ^ tail.term.stem);
      if (tail.term.stop) {
        if (size === 2 && INNER.has(tail.text)) continue;
        break;
      }
      if (size === 1 && tail.number) continue;
      inner = add(candidates, phrase, key, size, start + at, inTitle, head, tail, inner);
    }
  }
}

function add(
  candidates: Map<number, Candidate>,
  phrase: string,
  key: number,
  words: number,
  first: number,
  inTitle: boolean,
  head: Unit,
  tail: Unit,
  inner: Candidate | null,
): Candidate {
  let candidate = candidates.get(key);
  if (!candidate) {
    candidate = {
      phrase,
      key,
      words,
      first,
      inTitle,
      count: 0,
      inside: 0,
      capital: false,
      head: head.term,
      tail: tail.term,
    };
    candidates.set(key, candidate);
  }
  candidate.count++;
  if (head.capital && tail.capital) candidate.capital = true;
  if (inner) inner.inside++;
  if (words > 1) {
    const last = candidates.get(mixBits(tail.term.stem));
    if (last) last.inside++;
  }
  return candidate;
}
