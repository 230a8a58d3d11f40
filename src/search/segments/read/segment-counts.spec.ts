import { rowsOfBlocks, SEGMENT_ID, wantedBlocks } from '../../../../test/factories/segments.js';
import type { Sql } from '../../../database/sql.js';
import { LENGTH_COLUMN } from '../../relevance/score-sql.js';
import { POST_SEARCH } from '../../../content/posts/post-filter.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchFilter } from '../../search-request.js';
import type { SearchedTable } from '../../searched-table.js';
import { BlockCache } from './block-cache.js';
import { encodeColumn, encodeDirectory, SegmentIds } from '../format/segment-blocks.js';
import { SegmentIndex } from './segment-index.js';
import type { SegmentSearch } from './segment-search.js';

const stored = { segment: true, facet: true, sort: true } as const;
const TABLE: SearchedTable = {
  ...POST_SEARCH,
  fields: {
    keyword: { sql: 'keywords', type: 'list', ...stored },
    created_utc: { sql: 'created_utc', type: 'timestamptz', ...stored },
  },
};

const IDS = 1;
const LENGTHS = 2;
const CREATED = 3;
const BLOCKS = [
  encodeDirectory({
    ids: IDS,
    columns: { [LENGTH_COLUMN]: LENGTHS, created_utc: CREATED },
    sums: { [LENGTH_COLUMN]: 5, created_utc: 10 },
    ranges: { [LENGTH_COLUMN]: { lowest: 5, highest: 5 }, created_utc: { lowest: 10, highest: 20 } },
    terms: 4,
    firstKeys: [],
  }),
  SegmentIds.encode(['a']),
  encodeColumn([5]),
  encodeColumn([10]),
];

/**
 * Numbers of the blocks of the only segment that a search reads; `results` are those of the expressions that Postgres
 * computes.
 */
async function blocksReadBy(
  search: (segments: SegmentSearch) => Promise<unknown>,
  filter: SearchFilter = {},
  results: string[] = [],
): Promise<number[]> {
  const state = { segments: [[SEGMENT_ID, 1, 0]], changed: [], results };
  const read: number[] = [];
  const run = Object.assign(
    ({ text }: Sql) => Promise.resolve(text.includes('search_segments') ? [state] : []),
    {
      inBinary: (sql: Sql) => {
        const numbers = wantedBlocks(sql);
        read.push(...numbers);
        return Promise.resolve(rowsOfBlocks(numbers, BLOCKS));
      },
    },
  ) as unknown as RunSearch;
  const index = new SegmentIndex(TABLE, new BlockCache(), { leastRows: 1, mostChanged: 1 });
  await search((await index.open('w', [filter], run))!);
  return read;
}

describe('the blocks that are read of a segment', () => {
  it('for facets without a query include those for the first page of a query', async () => {
    const request = { table: TABLE, workspaceId: 'w', filter: {}, by: ['keyword'], limit: 5 };
    const read = await blocksReadBy((segments) => segments.facets(request));
    expect(read).toEqual([0, LENGTHS, IDS]);
  });

  it('for keywords without a query are only those that keywords need', async () => {
    const request = { table: TABLE, workspaceId: 'w', filter: {}, limit: 5 };
    expect(await blocksReadBy((segments) => segments.keywords(request))).toEqual([0]);
  });

  it.each([
    ['that a date excludes are only its directory', '21', [0]],
    ['that a date includes are not those with its dates', '10', [0]],
    ['in which a date lies are also those with its dates', '11', [0, CREATED]],
  ])('%s', async (_, microseconds, expected) => {
    const filter = { created_after: '1970-01-01T00:00:00Z' };
    const count = (segments: SegmentSearch) => segments.count({ table: TABLE, workspaceId: 'w', filter });
    expect(await blocksReadBy(count, filter, [microseconds])).toEqual(expected);
  });
});
