import { givenEntries } from '../../common/collections.js';
import { decodeCursor, encodeCursor, invalidCursor } from '../../http/cursor.js';
import { unstorable } from '../../http/input-hygiene.js';
import type { ListOrder, ListPosition, SearchedTable } from './searched-table.js';
import { isSortValue } from './sort-value.js';

const NUMBER_ID = /^\d{1,18}$/;

/** What a cursor is bound to: it is refused for any other list, workspace, filter or order. */
export interface CursorScope<Sort extends string> {
  list: 'posts' | 'comments';
  workspaceId: string;
  filter: object;
  order: ListOrder<Sort>;
}

/** The opaque position after a row. */
export function cursorAfter<Sort extends string>(
  row: { sortValue: string; id: string | number },
  scope: CursorScope<Sort>,
): string {
  return encodeCursor([row.sortValue, String(row.id)], questionOf(scope));
}

/** The position of a cursor; null for an empty one, which means the start. Throws 400 `invalid_cursor`. */
export function positionOf<Filter extends { q?: string }, Sort extends string>(
  cursor: string | undefined,
  scope: CursorScope<Sort>,
  table: Pick<SearchedTable<Filter, Sort>, 'sorts' | 'idType'>,
): ListPosition | null {
  if (!cursor) return null;
  const [value, id] = decodeCursor(cursor, questionOf(scope));
  const isPosition =
    typeof value === 'string' &&
    typeof id === 'string' &&
    isSortValue(table.sorts[scope.order.sort_by].type, value) &&
    (table.idType === 'bigint' ? NUMBER_ID.test(id) : unstorable(id) === null);
  if (!isPosition) throw invalidCursor();
  return { value, id };
}

const questionOf = <Sort extends string>({
  list,
  workspaceId,
  filter,
  order,
}: CursorScope<Sort>): unknown => [list, workspaceId, order.sort_by, order.sort_order, givenEntries(filter)];
