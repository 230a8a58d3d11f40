import { ASCII_LOWER, foldWord, lowerWord } from './character-classes.js';
import { LexemeTable } from './lexeme-table.js';
import type { Script } from './stems.js';
import type { Term } from './term.js';

/** Number of terms from which the table starts empty with the next text. */
export const MAX_TERMS = 1 << 16;
/** Entries of a slot: hash, number of the term + 1, and where its letters begin and end. */
const ENTRIES = 4;
const SLOTS = 2 * MAX_TERMS * ENTRIES;
/** Room for the letters of the words in slots, which are longer in texts of no language. */
const LETTERS = 16 * MAX_TERMS;
const SCRIPTS: readonly (readonly [RegExp, Script])[] = [
  [/^\p{Script=Latin}+$/u, 'Latn'],
  [/^\p{Script=Cyrillic}+$/u, 'Cyrl'],
  [/^\p{Script=Greek}+$/u, 'Grek'],
  [/^\p{Script=Arabic}+$/u, 'Arab'],
  [/^\p{Script=Devanagari}+$/u, 'Deva'],
  [/^\p{Script=Tamil}+$/u, 'Taml'],
  [/^\p{Script=Armenian}+$/u, 'Armn'],
];
const ASCII_LETTERS = /^[a-z]+$/;
/** Longer words are no words of a language. */
const LONGEST_STEMMED = 40;
/** Longer words are cut; a keyword has at most 200 characters. */
const LONGEST_FORM = 255;
/** Code units of a word that are folded; some characters become none or several. */
const LONGEST_RAW = 2 * LONGEST_FORM;

/** Finds the numbers of terms by words, in most cases without creating a string. Holds about 65,536 terms. */
export class TermTable {
  /** Increases whenever the table starts empty, after which ids name other terms. */
  generation = 0;
  /** What texts store for the terms; replaced with every generation. */
  lexemes = this.newLexemes();
  private terms: Term[] = [];
  /** Words of ASCII letters and digits, {@link ENTRIES} numbers for each. */
  private readonly slots = new Int32Array(SLOTS);
  /** The letters of these words in lower case: nearer to one another in memory than strings. */
  private readonly letters = new Uint8Array(LETTERS);
  private lettersEnd = 0;
  private byRaw = new Map<string, number>();
  private byForm = new Map<string, number>();

  /** The term of an ASCII word in `text`, with the hash of its lower case from `addToHash`. */
  ofAscii(text: string, start: number, end: number, rolled: number): number {
    const hash = rolled ^ (rolled >>> 15);
    const { slots } = this;
    let at = Math.imul(hash, ENTRIES) & (SLOTS - 1);
    for (; slots[at + 1] !== 0; at = (at + ENTRIES) & (SLOTS - 1))
      if (slots[at] === hash && this.isAt(slots[at + 2]!, slots[at + 3]!, text, start, end))
        return slots[at + 1]! - 1;
    const form = text.slice(start, Math.min(end, start + LONGEST_FORM)).toLowerCase();
    const term = this.ofForm(form);
    const { lettersEnd } = this;
    const isFull = term >= MAX_TERMS || lettersEnd + form.length > LETTERS;
    // A cut word has no slot, because its hash is that of the whole word. A full table adds none until it starts empty.
    if (end - start > LONGEST_FORM || isFull) return term;
    for (let index = 0; index < form.length; index += 1)
      this.letters[lettersEnd + index] = form.charCodeAt(index);
    this.lettersEnd += form.length;
    slots[at] = hash;
    slots[at + 1] = term + 1;
    slots[at + 2] = lettersEnd;
    slots[at + 3] = this.lettersEnd;
    return term;
  }

  /** The term of a word of any script as it is written in a text. */
  ofRaw(written: string): number {
    const raw = written.slice(0, LONGEST_RAW);
    const known = this.byRaw.get(raw);
    if (known !== undefined) return known;
    const form = foldWord(raw).slice(0, LONGEST_FORM);
    const lower = lowerWord(raw).slice(0, LONGEST_FORM);
    const term = lower === form ? this.ofForm(form) : this.add(form, lower);
    this.byRaw.set(raw, term);
    return term;
  }

  /** The term of a word that is already folded. */
  ofForm(form: string): number {
    const known = this.byForm.get(form);
    if (known !== undefined) return known;
    const term = this.add(form, form);
    this.byForm.set(form, term);
    return term;
  }

  /** The term with a number of this {@link generation}. */
  term(id: number): Term {
    return this.terms[id]!;
  }

  /** Starts empty when the table is full. Must not be called while a text is read. */
  makeRoom(): void {
    if (this.terms.length < MAX_TERMS && !this.lexemes.isFull) return;
    this.generation += 1;
    this.terms = [];
    this.slots.fill(0);
    this.lettersEnd = 0;
    this.byRaw = new Map();
    this.byForm = new Map();
    this.lexemes = this.newLexemes();
  }

  /** Whether a word has the letters from `first` to `last`. */
  private isAt(first: number, last: number, text: string, start: number, end: number): boolean {
    if (last - first !== end - start) return false;
    const { letters } = this;
    for (let index = first, at = start; index < last; index += 1, at += 1)
      if (letters[index] !== ASCII_LOWER[text.charCodeAt(at)]) return false;
    return true;
  }

  private add(form: string, written: string): number {
    const id = this.terms.length;
    this.terms.push({ id, form, written, script: scriptOf(form), toFind: null });
    return id;
  }

  private newLexemes(): LexemeTable {
    return new LexemeTable((id) => this.term(id));
  }
}

function scriptOf(form: string): Script | null {
  if (form.length > LONGEST_STEMMED) return null;
  if (ASCII_LETTERS.test(form)) return 'Latn';
  const base = form.replace(/\p{M}/gu, '');
  return SCRIPTS.find(([letters]) => letters.test(base))?.[1] ?? null;
}
