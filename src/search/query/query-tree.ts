/** Fields whose words are searched. */
export const TEXT_FIELDS = ['title', 'text'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Fields whose whole value is compared, ignoring case. */
export const VALUE_FIELDS = [
  'author',
  'forum',
  'flair',
  'keyword',
  'source',
  'lang',
  'type',
  'sentiment',
] as const;
export type ValueField = (typeof VALUE_FIELDS)[number];

/** Fields that are compared with a number, and the time of creation. */
export const NUMBER_FIELDS = ['score', 'comments', 'ratio'] as const;
export type BoundField = (typeof NUMBER_FIELDS)[number] | 'created';

/** Properties that a record has or lacks: `is:nsfw`, `has:media`. */
export const FLAGS = ['is:nsfw', 'is:spoiler', 'is:promotion', 'has:media', 'has:comments'] as const;
export type Flag = (typeof FLAGS)[number];

/** Operators of a comparison. */
export type Operator = '>' | '>=' | '<' | '<=' | '=';

/** Words side by side, in any form of the text's language or in exactly this form. */
export interface WordsNode {
  kind: 'words';
  /** As typed, without quotes; may contain several words. */
  text: string;
  isExact: boolean;
  /** Whether the last word is a prefix: `bat*` finds `battery`. */
  isPrefix: boolean;
  /** Null for title and text. */
  field: TextField | null;
}

/** Words in any order, each at most `distance` words from every other. */
export interface NearNode {
  kind: 'near';
  text: string;
  /** 1 to 100. */
  distance: number;
  field: TextField | null;
}

/** Matches records whose field has this value, or one that begins with it. */
export interface ValueNode {
  kind: 'value';
  field: ValueField;
  value: string;
  isPrefix: boolean;
}

/** Compares a field; `value` is a number, or a time as ISO 8601 in UTC. */
export interface BoundNode {
  kind: 'bound';
  field: BoundField;
  operator: Operator;
  value: number | string;
}

/** Matches records with a property. */
export interface FlagNode {
  kind: 'flag';
  flag: Flag;
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
export type QueryNode = WordsNode | NearNode | ValueNode | BoundNode | FlagNode | NotNode | GroupNode;

/** A part of a query that was not understood as written. */
export interface Notice {
  /** Place in the query in UTF-16 code units, from 0. */
  position: number;
  length: number;
  message: string;
}
