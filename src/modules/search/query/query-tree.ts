/** Fields that a query can name, as in `author:name`. */
export const QUERY_FIELDS = ['author', 'forum', 'flair'] as const;

/** A field that is compared as a whole and without regard to case. */
export type QueryField = (typeof QUERY_FIELDS)[number];

/** Words in their order, matched after stemming; a single word is a phrase of one. */
export interface TextNode {
  kind: 'text';
  /** As typed, without quotes; may hold several words. */
  text: string;
  /** The last word may go on: `bat*` finds `battery`. */
  isPrefix: boolean;
  /** Only in the title. */
  inTitle: boolean;
}

/** A field that has this value. */
export interface FieldNode {
  kind: 'field';
  field: QueryField;
  value: string;
}

/** What the operand does not match. */
export interface NotNode {
  kind: 'not';
  operand: QueryNode;
}

/** All of the operands (`and`) or at least one of them (`or`); always two or more. */
export interface GroupNode {
  kind: 'and' | 'or';
  operands: QueryNode[];
}

/** The syntax tree of `q`. */
export type QueryNode = TextNode | FieldNode | NotNode | GroupNode;
