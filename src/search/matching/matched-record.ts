import type { SearchedTexts } from '../../text/reading.js';
import type { BoundField, Flag, ValueField } from '../query/query-tree.js';

/** A post or comment as a query compares it. Absent fields have no meaning for its kind. */
export interface MatchedRecord {
  texts: SearchedTexts;
  /** BCP 47, or `und`. */
  language: string;
  /** Whether its author's name is compared with its case. */
  isAuthorCaseSensitive?: boolean;
  values: Partial<Record<ValueField, string | readonly string[]>>;
  /** The time of creation in milliseconds. */
  numbers: Partial<Record<BoundField, number>>;
  flags: Partial<Record<Flag, boolean>>;
}
