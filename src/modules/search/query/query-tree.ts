/** Fields that a query can name, as in `author:name`. */
export const QUERY_FIELDS = ['author', 'forum', 'flair'] as const;

/** A field whose whole value is compared, ignoring case. */
export type QueryField = (typeof QUERY_FIELDS)[number];

/** Consecutive words, matched after stemming; a single word is a phrase of one. */
export interface TextNode {
  kind: 'text';
  /** As typed, without quotes; may contain several words. */
  text: string;
  /** Whether the last word is a prefix: `bat*` finds `battery`. */
  isPrefix: boolean;
  /** Whether only the title is searched. */
  inTitle: boolean;
}

/** Matches rows whose field has this value. */
export interface FieldNode {
  kind: 'field';
  field: QueryField;
  value: string;
}

/** Matches everything that the operand does not match. */
export interface NotNode {
  kind: 'not';
  operand: QueryNode;
}

/** Matches all of the operands (`and`) or at least one of them (`or`); always two or more. */
export interface GroupNode {
  kind: 'and' | 'or';
  operands: QueryNode[];
}

/** The syntax tree of `q`. */
export type QueryNode = TextNode | FieldNode | NotNode | GroupNode;
