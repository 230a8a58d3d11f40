/** A text of a source that a test writes. */
export interface Written {
  /** From 1, in the order of writing. */
  number: number;
  text: string;
  at: Date;
  /** Number of the post above a comment; null for a post. */
  above: number | null;
  isDeleted: boolean;
}

/** A source to which queries listen, as a test serves it. */
export interface ListenedSource {
  /** As in `listen`. */
  listen: string;
  /** Whether texts can be written that are comments. */
  hasComments: boolean;
  /** Whether it numbers comments by themselves, so that a post and a comment may have the same id. */
  numbersApart?: true;
  /** Whether it shows that a text was deleted. */
  showsDeletions: boolean;
  /** The site on which it stands, where it has sites. */
  site?: string;
  idOf: (text: Written) => string;
  /** The answer to a request; null for none. Texts are in the order of writing, those deleted included. */
  answer: (path: string, params: URLSearchParams, texts: readonly Written[]) => object | string | null;
}

/** The texts that a list shows, newest first. */
export const shown = (texts: readonly Written[]): Written[] =>
  texts.filter(({ isDeleted }) => !isDeleted).reverse();
