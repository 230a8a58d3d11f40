import { decodeCursor, encodeCursor, invalidCursor } from './cursor.js';

/** A timestamp as Postgres writes it, with microseconds, and a uuid. */
const POSITION =
  /^(\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*[+-][\d:]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A position in a list that is ordered by time and id. */
export interface TimePosition {
  /** As Postgres writes a timestamp. */
  time: string;
  id: string;
}

/** The cursor after a row of the list that `query` asked for. */
export function timeCursorAfter({ time, id }: TimePosition, query: unknown): string {
  return encodeCursor([`${time} ${id}`], query);
}

/** The position of a cursor; null for an empty one, which is the start. Throws 400 `invalid_cursor`. */
export function timePositionOf(cursor: string, query: unknown): TimePosition | null {
  if (cursor === '') return null;
  const [position] = decodeCursor(cursor, query);
  const match = typeof position === 'string' ? POSITION.exec(position) : null;
  if (match === null) throw invalidCursor();
  return { time: match[1]!, id: match[2]! };
}
