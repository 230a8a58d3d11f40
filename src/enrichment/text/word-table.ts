import { type Term } from '../keywords/terms.js';
import { type WordInfo } from '../sentiment/lexicon.js';

/** A word, lower case, and what the parts of the analysis found out about it when they first met it. */
export interface Word {
  readonly text: string;
  /** Some letter stands three times or more in a row. */
  readonly elongated: boolean;
  sentiment: WordInfo | null;
  term: Term | null;
}

/** At some 500 bytes a word, about 15 MB. */
const MAX_WORDS = 30_000;
/** Longer strings are kept by the engine as views of the whole text they were cut from. */
const LONGEST_COPIED = 12;

/**
 * Every distinct word once, so that what costs time is done once a word. Bounded: when full it starts anew.
 * What is kept with a word depends on the weights in use, so a table belongs to one analyzer.
 */
export class WordTable {
  private readonly words = new Map<string, Word>();

  get(text: string): Word {
    const known = this.words.get(text);
    if (known) return known;
    if (this.words.size >= MAX_WORDS) this.words.clear();
    const own = text.length > LONGEST_COPIED ? Buffer.from(text).toString() : text;
    const word: Word = { text: own, elongated: squeeze(own) !== own, sentiment: null, term: null };
    this.words.set(own, word);
    return word;
  }
}

/** Cuts every run of one letter to two. */
export function squeeze(text: string): string {
  let run = 1;
  let out = '';
  let from = 0;
  for (let at = 1; at < text.length; at++) {
    run = text.charCodeAt(at) === text.charCodeAt(at - 1) ? run + 1 : 1;
    if (run > 2) {
      out += text.slice(from, at);
      from = at + 1;
    }
  }
  return from === 0 ? text : out + text.slice(from);
}
