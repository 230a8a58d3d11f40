import { decodeCursor, encodeCursor, invalidCursor } from './cursor.js';

/** A timestamp with microseconds, as Postgres writes it, and a uuid. */
const POSITION =
  /^(\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*[+-][\d:]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A position in a list that is ordered by time and id. */
export interface TimePosition {
  /** In the format in which Postgres writes a timestamp. */
  time: string;
  id: string;
}

/** The cursor after a row of the list requested by `query`. */
export function timeCursorAfter({ time, id }: TimePosition, query: unknown): string {
  return encodeCursor([`${time} ${id}`], query);
}

/** The position of a cursor; null for an empty one, which means the start. Throws 400 `invalid_cursor`. */
export function timePositionOf(cursor: string, query: unknown): TimePosition | null {
  if (cursor === '') return null;
  const [position] = decodeCursor(cursor, query);
  const match = typeof position === 'string' ? POSITION.exec(position) : null;
  if (match === null) throw invalidCursor();
  return { time: match[1]!, id: match[2]! };
}
