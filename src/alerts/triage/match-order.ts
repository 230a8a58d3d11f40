import { decodeCursor, encodeCursor, invalidCursor } from '../../http/pages/cursor.js';
import { DECIDED_SQL } from '../matching/match-state.js';

/** Orders of a list of matches. */
export const MATCH_ORDERS = ['matched_at', 'relevance', 'uncertainty'] as const;
export type MatchOrder = (typeof MATCH_ORDERS)[number];

/** An order in SQL: by a key and then by id. */
interface SqlOrder {
  key: string;
  type: 'timestamptz' | 'float8';
  direction: 'ASC' | 'DESC';
  /** The key as Postgres writes it. */
  pattern: RegExp;
}

const NUMBER = /^-?[\d.]+(?:e[+-]?\d+)?$/;

/** The orders of matches. */
export const SQL_ORDERS: Readonly<Record<MatchOrder, SqlOrder>> = {
  matched_at: {
    key: 'matched_at',
    type: 'timestamptz',
    direction: 'DESC',
    pattern: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*[+-][\d:]+$/,
  },
  relevance: { key: 'coalesce(relevance, -1)::float8', type: 'float8', direction: 'DESC', pattern: NUMBER },
  // Nothing is learned from a second decision on a match.
  uncertainty: {
    key: `(CASE WHEN state IN (${DECIDED_SQL}) THEN 1 ELSE 0 END + coalesce(abs(relevance - 0.5), 0))::float8`,
    type: 'float8',
    direction: 'ASC',
    pattern: NUMBER,
  },
};

/** A position in an ordered list: the key of a match as Postgres writes it, and its id. */
export interface MatchPosition {
  key: string;
  id: string;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The cursor after a match of the list requested by `query`. */
export const cursorAfterMatch = ({ key, id }: MatchPosition, query: unknown): string =>
  encodeCursor([key, id], query);

/** The position of a cursor; null for an empty one, which means the start. Throws 400 `invalid_cursor`. */
export function matchPositionOf(cursor: string, order: MatchOrder, query: unknown): MatchPosition | null {
  if (cursor === '') return null;
  const [key, id] = decodeCursor(cursor, query);
  const isPosition =
    typeof key === 'string' && typeof id === 'string' && SQL_ORDERS[order].pattern.test(key) && ID.test(id);
  if (!isPosition) throw invalidCursor();
  return { key, id };
}
