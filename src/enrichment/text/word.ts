/** A word in lower case with the values that sentiment and keywords compute once for it. */
export interface Word {
  readonly text: string;
  /** Whether some letter is repeated three times or more in a row. */
  readonly elongated: boolean;
  sentiment: WordInfo | null;
  term: Term | null;
}

/** Valence of a word in two published lists, -4..4 and -5..5. */
interface Valence {
  /** VADER's valence; AFINN's on VADER's scale if VADER lacks the word; 0 if both do. */
  vader: number;
  /** 0 if AFINN lacks the word. */
  afinn: number;
}

/** A word's entries in the lists and its features in the model. Shared by all tokens of that text. */
export interface WordInfo extends Valence {
  hash: number;
  /** Strengthens (> 0) or weakens (< 0) the words that follow. */
  boost: number;
  negator: boolean;
  /** The text from which features are made: no letter more than twice in a row. */
  text: string;
  /** Filled by the model on first use. */
  grams: GramSums | null;
  /** Filled by the English filter on first use. */
  standing: Standing | null;
}

/** Sum of the weights of a word's character n-grams, and their number. */
export interface GramSums {
  positive: number;
  neutral: number;
  negative: number;
  count: number;
}

/** Evidence that a word gives about its text's language. */
export const enum Standing {
  Common,
  Seen,
  Unseen,
  Foreign,
  OtherScript,
}

/** The values that the keyword extractor computes once for a word. */
export interface Term {
  /** Hash of the stem. */
  stem: number;
  /** Key of the word as a phrase of its own. */
  key: number;
  /** Whether it may occur at neither end of a phrase. */
  stop: boolean;
  /** Hash of its last letters, as a rough part of speech. */
  suffix: number;
}
