import type { Script } from './stems.js';

/** A distinct word of texts, shared by all its occurrences. */
export interface Term {
  /** Number of the term in its `TermTable`, from 0. */
  readonly id: number;
  /** The word with case, accents and width folded. */
  readonly form: string;
  /** The word in lower case with its accents, from which stems are made. */
  readonly written: string;
  /** Script of its letters; null when it is not stemmed (digits, symbols, pairs of characters, pictographs). */
  readonly script: Script | null;
  /** Filled by `lexemesToFind`. */
  toFind: WordLexemes | null;
}

/** The lexemes that find a word in any of its forms. */
export interface WordLexemes {
  /** Lexemes of which an occurrence of the word in a text of the default language has exactly one. */
  counted: readonly string[];
  /** Lexemes of the word in texts of other languages. */
  others: readonly string[];
}
