import { storedLexemes } from './lexemes.js';
import type { Term } from './term.js';

/** Terms of one language are looked up in a list of this length first; it grows with longer texts. */
const FIRST_TERMS = 1 << 16;
const FIRST_LEXEMES = 1 << 16;
const FIRST_BYTES = 1 << 20;
/** Numbers from which the table is full. */
const MAX_LEXEMES = 3 << 16;
const MAX_NUMBERS = 1 << 20;
const MAX_BYTES = 8 << 20;
const MAX_LANGUAGES = 64;
const EMPTY = new Int32Array();

/** Maximum number of lexemes of a term in one language: its form, and two stems each in two languages. */
export const MOST_OF_TERM = 5;

/** The lexemes of the terms of one language. */
export interface LanguageLexemes {
  readonly language: string;
  /** By number of a term: the index in `numbers` of how many lexemes it has, before their numbers; 0 until looked up. */
  lists: Int32Array;
}

/**
 * The distinct forms and stems of texts, numbered from 0, and which of them each term has. Numbers in arrays instead of
 * objects, because reading a text looks up every word and waits for memory otherwise.
 */
export class LexemeTable {
  /** Lists of lexemes, each preceded by its length. */
  numbers: Int32Array = new Int32Array(FIRST_TERMS);
  /** By lexeme: a number for the record that is being read, see `RecordLexemes`. */
  slots: Int32Array = new Int32Array(FIRST_LEXEMES);
  /** The lexemes in UTF-8, one after the other. */
  bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  /** By lexeme: where its bytes begin; they end where those of the next one begin. */
  starts: Int32Array = new Int32Array(FIRST_LEXEMES);
  private numbersEnd = 1;
  private readonly texts: string[] = [];
  private readonly ids = new Map<string, number>();
  private readonly languages = new Map<string, LanguageLexemes>();

  constructor(private readonly termOf: (id: number) => Term) {}

  /** Whether the table has no room for the words of another text. */
  get isFull(): boolean {
    return (
      this.texts.length >= MAX_LEXEMES ||
      this.numbersEnd >= MAX_NUMBERS ||
      this.starts[this.texts.length]! >= MAX_BYTES ||
      this.languages.size >= MAX_LANGUAGES
    );
  }

  /** The lexemes of a language, as BCP 47 or `und`. */
  of(language: string): LanguageLexemes {
    const known = this.languages.get(language);
    if (known !== undefined) return known;
    const added = { language, lists: EMPTY };
    this.languages.set(language, added);
    return added;
  }

  /** Index in {@link numbers} of how many lexemes a term has; their numbers follow. */
  listOf(term: number, language: LanguageLexemes): number {
    const { lists } = language;
    const list = term < lists.length ? lists[term]! : 0;
    return list === 0 ? this.learn(term, language) : list;
  }

  /** The lexemes that a text of a language stores for a term. */
  textsOf(term: number, language: string): string[] {
    const list = this.listOf(term, this.of(language));
    return Array.from(this.numbers.subarray(list + 1, list + 1 + this.numbers[list]!), (id) => this.text(id));
  }

  /** A lexeme by its number. */
  text(lexeme: number): string {
    return this.texts[lexeme]!;
  }

  private learn(term: number, language: LanguageLexemes): number {
    const ids = storedLexemes(this.termOf(term), language.language).map((text) => this.idOf(text));
    language.lists = withRoom(language.lists, Math.max(FIRST_TERMS, term + 1));
    this.numbers = withRoom(this.numbers, this.numbersEnd + 1 + ids.length);
    const list = this.numbersEnd;
    this.numbers[list] = ids.length;
    this.numbers.set(ids, list + 1);
    this.numbersEnd += 1 + ids.length;
    language.lists[term] = list;
    return list;
  }

  private idOf(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.texts.push(text) - 1;
    this.ids.set(text, id);
    this.starts = withRoom(this.starts, id + 2);
    this.slots = withRoom(this.slots, id + 1);
    const written = Buffer.from(text);
    const start = this.starts[id]!;
    this.bytes = withRoom(this.bytes, start + written.length);
    this.bytes.set(written, start);
    this.starts[id + 1] = start + written.length;
    return id;
  }
}

/** The list, or a longer copy when it has fewer elements than needed. */
export function withRoom<List extends Int32Array | Uint16Array | Uint8Array>(
  list: List,
  needed: number,
): List {
  if (list.length >= needed) return list;
  const longer = new (list.constructor as new (length: number) => List)(Math.max(needed, 2 * list.length));
  longer.set(list);
  return longer;
}
