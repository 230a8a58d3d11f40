import { readDumpRow } from '../../platforms/reddit/archive/dump-rows.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { DumpFilter, type DumpSelection } from './dump-filter.js';
import { refuseUnreadable } from './dump-format.js';
import type { DumpReader } from './dump-reader.js';

/** Number of rows per transaction. */
export const BATCH_ROWS = 2_000;
/** Number of lines after which the position is stored even if none of them was selected. */
const BATCH_LINES = 500_000;
/** Lines at the beginning of which at least one must be a post or comment. */
const FIRST_LINES = 1_000;

const NO_RECORD = 'no line of it is a post or a comment';

/** Records that are stored together, each once. */
export interface DumpBatch {
  posts: Map<string, PlatformPost>;
  comments: Map<string, PlatformComment>;
  /** Number of lines from the beginning of the dump to the end of the batch, and how many of them are damaged. */
  lines: number;
  damagedLines: number;
  isLast: boolean;
}

/** A batch without records, after so many lines. */
export function emptyBatch(lines: number, damagedLines: number): DumpBatch {
  return { posts: new Map(), comments: new Map(), lines, damagedLines, isLast: false };
}

/**
 * The selected records of a dump after the lines that are `done`, of which some were damaged. The last batch may be
 * empty. Throws when the file is no dump.
 */
export async function* dumpBatches(
  reader: DumpReader,
  file: string,
  selection: DumpSelection,
  done: Pick<DumpBatch, 'lines' | 'damagedLines'>,
): AsyncGenerator<DumpBatch> {
  const filter = new DumpFilter(selection);
  let batch = emptyBatch(0, done.damagedLines);
  let began = 0;
  // Lines that are neither post nor comment; null once one is.
  let unreadable: number | null = 0;
  for await (const lines of reader.lines()) {
    for (const line of lines) {
      batch.lines += 1;
      if (line.trim() === '') continue;
      if (unreadable !== null) unreadable = readDumpRow(line) === null ? unreadable + 1 : null;
      if (unreadable === FIRST_LINES) refuseUnreadable(file, NO_RECORD);
      if (batch.lines <= done.lines || !filter.mayMatch(line)) continue;
      const row = readDumpRow(line);
      if (row === null) batch.damagedLines += 1;
      else if (row.kind === 'advertisement' || !filter.matches(row)) continue;
      else if (row.kind === 'post') setNew(batch.posts, row.post);
      else setNew(batch.comments, row.comment);
      if (batch.posts.size + batch.comments.size < BATCH_ROWS) continue;
      yield batch;
      batch = emptyBatch(batch.lines, batch.damagedLines);
      began = batch.lines;
    }
    if (batch.lines - began < BATCH_LINES || batch.lines <= done.lines) continue;
    yield batch;
    batch = emptyBatch(batch.lines, batch.damagedLines);
    began = batch.lines;
  }
  if (unreadable !== null) refuseUnreadable(file, NO_RECORD);
  yield { ...batch, isLast: true };
}

/** Adds a record unless the batch has one with its id: the first counts, as it does over the whole dump. */
export function setNew<Row extends { id: string }>(rows: Map<string, Row>, row: Row): void {
  if (!rows.has(row.id)) rows.set(row.id, row);
}
