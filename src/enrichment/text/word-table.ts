import { type Word } from './word.js';

/** Number of words per generation; two generations are kept. At some 400 bytes per word, about 24 MB in all. */
const GENERATION = 30_000;
/** Slots in which a word is found by its letters, before a string is created from them; a power of two. */
const SLOTS = 1 << 15;
const FIRST_CAPITAL = 65;
const LAST_CAPITAL = 90;
const LAST_ASCII = 127;
const TO_LOWER = 32;
/** Longer runs are not words; storing them would store whole texts. */
const LONGEST_KEPT = 64;
/** V8 stores longer slices as views, which keep the whole text in memory. */
const LONGEST_COPIED = 12;

/**
 * Stores every distinct word once, so that costly work is done once per word. Bounded: when a generation is full, the
 * previous one is dropped except for words that were used again. The data stored with a word depends on the weights in
 * use, so a table belongs to one analyzer.
 */
export class WordTable {
  private words = new Map<string, Word>();
  private before = new Map<string, Word>();
  private readonly slots = new Array<Word | null>(SLOTS).fill(null);

  /** The entry of a lower-case word. */
  get(text: string): Word {
    return this.words.get(text) ?? this.add(text);
  }

  /** The entry of the word from `start` to `end` of a text, in any case. */
  find(text: string, start: number, end: number): Word {
    let hash = 0;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > LAST_ASCII) return this.get(text.slice(start, end).toLowerCase());
      hash = Math.imul(hash ^ lowered(code), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    const slot = hash & (SLOTS - 1);
    const known = this.slots[slot]!;
    if (known !== null && isAt(known.text, text, start, end)) return known;
    const word = this.get(text.slice(start, end).toLowerCase());
    if (end - start <= LONGEST_KEPT) this.slots[slot] = word;
    return word;
  }

  private add(text: string): Word {
    if (text.length > LONGEST_KEPT) return newWord(text);
    if (this.words.size >= GENERATION) {
      this.before = this.words;
      this.words = new Map();
    }
    const word = this.before.get(text) ?? newWord(text);
    this.words.set(word.text, word);
    return word;
  }
}

function lowered(code: number): number {
  return code >= FIRST_CAPITAL && code <= LAST_CAPITAL ? code + TO_LOWER : code;
}

/** Compares a lower-case word with ASCII letters of any case. */
function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at++) {
    if (word.charCodeAt(at - start) !== lowered(text.charCodeAt(at))) return false;
  }
  return true;
}

function newWord(text: string): Word {
  const own = text.length > LONGEST_COPIED ? Buffer.from(text).toString() : text;
  return { text: own, elongated: squeeze(own) !== own, sentiment: null, term: null };
}

/** Shortens every run of one letter to two. */
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
