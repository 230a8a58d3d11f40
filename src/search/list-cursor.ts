import { givenEntries } from '../common/collections.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../http/pages/cursor.js';
import { unstorable } from '../http/parameters/input-hygiene.js';
import type { ListPosition } from './search-request.js';
import { type ListOrder, type SearchedTable, sortTypeOf } from './searched-table.js';
import { isSortValue } from './sort-value.js';

const NUMBER_ID = /^\d{1,18}$/;

/** What a cursor is bound to: it is refused for any other list, workspace, filter or order. */
export interface CursorScope {
  list: 'posts' | 'comments';
  workspaceId: string;
  filter: object;
  order: ListOrder;
}

/** The opaque position after a row. */
export function cursorAfter(row: { sortValue: string; id: string | number }, scope: CursorScope): string {
  return encodeCursor([row.sortValue, String(row.id)], questionOf(scope));
}

/** The position of a cursor; null for an empty one, which means the start. Throws 400 `invalid_cursor`. */
export function positionOf(
  cursor: string | undefined,
  scope: CursorScope,
  table: Pick<SearchedTable, 'fields' | 'orders' | 'idType'>,
): ListPosition | null {
  if (!cursor) return null;
  const [value, id] = decodeCursor(cursor, questionOf(scope));
  const isPosition =
    typeof value === 'string' &&
    typeof id === 'string' &&
    isSortValue(sortTypeOf(table, scope.order.sort_by), value) &&
    (table.idType === 'bigint' ? NUMBER_ID.test(id) : unstorable(id) === null);
  if (!isPosition) throw invalidCursor();
  return { value, id };
}

const questionOf = ({ list, workspaceId, filter, order }: CursorScope): unknown => [
  list,
  workspaceId,
  order.sort_by,
  order.sort_order,
  givenEntries(filter),
];
