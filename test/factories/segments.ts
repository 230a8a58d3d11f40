import { EventLoopTurn } from '../../src/common/event-loop-turn.js';
import type { Sql } from '../../src/database/sql.js';
import { FieldValues } from '../../src/search/segments/read/field-values.js';
import {
  decodeColumn,
  decodeDirectory,
  DIRECTORY,
  SegmentIds,
  termBlocks,
} from '../../src/search/segments/format/segment-blocks.js';
import { SegmentWriter } from '../../src/search/segments/build/segment-writer.js';
import { Segment } from '../../src/search/segments/read/segment.js';
import { fieldPrefix } from '../../src/search/segments/format/term-keys.js';

const TABLE = {
  fields: {
    score: { sql: 'score', type: 'integer', segment: true, facet: false, sort: true },
    forum: { sql: 'forum', type: 'name', segment: true, facet: true, sort: false },
  },
} as const;

/**
 * A segment of the rows that `add` passes to its writer: each with id, words, score, length, and its forum in lower
 * case and as written.
 */
export async function writtenSegment(add: (writer: SegmentWriter) => Promise<void> | void): Promise<Segment> {
  const writer = new SegmentWriter(TABLE);
  await add(writer);
  const blocks = await writer.blocks();
  const directory = decodeDirectory(blocks[DIRECTORY]!);
  return new Segment(
    writer.rows,
    directory,
    {
      bytes: (number) => blocks[number]!,
      column: (number) => decodeColumn(blocks[number]!),
      values: (field, numbers) => {
        const terms = termBlocks(directory, fieldPrefix(field)).map((number) => blocks[number]!);
        return FieldValues.parse(terms, field, writer.rows, numbers, new EventLoopTurn());
      },
      ids: (number) => SegmentIds.decode(blocks[number]!),
    },
    null,
  );
}

/** Numbers of the blocks that a statement of `selectBlocks` reads. */
export const wantedBlocks = ({ parameters }: Sql): number[] =>
  String(parameters[2]).slice(1, -1).split(',').map(Number);

/** The id of the segment of {@link rowsOfBlocks}. */
export const SEGMENT_ID = '00000000-0000-4000-8000-000000000007';

/** The rows that the statement returns for this segment, as read in binary form. */
export const rowsOfBlocks = (numbers: readonly number[], blocks: readonly Buffer[]): Buffer[][] =>
  numbers.map((number) => [uuidBytes(SEGMENT_ID), int(number), blocks[number]!]);

const uuidBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
