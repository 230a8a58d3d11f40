import { rowsOfBlocks, wantedBlocks } from '../../../../../test/factories/segments.js';
import type { Sql } from '../../../../database/sql.js';
import { LENGTH_COLUMN } from '../../relevance/score-sql.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchedTable } from '../../searched-table.js';
import { BlockCache } from './block-cache.js';
import { encodeColumn, encodeDirectory, SegmentIds } from '../format/segment-blocks.js';
import { SegmentSearch } from './segment-search.js';

interface Filter {
  q?: string;
  created_after?: string;
}

const TABLE = {
  name: 'posts',
  deltas: 'post_count_deltas',
  facets: { keyword: { expression: 'keywords', kind: 'list' } },
  segments: {
    columns: { [LENGTH_COLUMN]: 'length', created_utc: 'created' },
    flags: [],
    bounds: { created_after: { column: 'created_utc', operator: '>=' } },
  },
} as unknown as SearchedTable<Filter, string>;

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
  search: (segments: SegmentSearch<Filter>, run: RunSearch) => Promise<unknown>,
  results: string[] = [],
): Promise<number[]> {
  const state = { segments: [['7', 1, 0]], changed: [], results };
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
  await search(new SegmentSearch(TABLE, new BlockCache(), { leastRows: 1, mostChanged: 1 }), run);
  return read;
}

describe('the blocks that are read of a segment', () => {
  it('for facets without a query include those for the first page of a query', async () => {
    const read = await blocksReadBy((segments, run) => segments.facets('w', {}, ['keyword'], 5, run));
    expect(read).toEqual([0, LENGTHS, IDS]);
  });

  it('for keywords without a query are only those that keywords need', async () => {
    expect(await blocksReadBy((segments, run) => segments.keywords('w', {}, 5, run))).toEqual([0]);
  });

  it.each([
    ['that a date excludes are only its directory', '21', [0]],
    ['that a date includes are not those with its dates', '10', [0]],
    ['in which a date lies are also those with its dates', '11', [0, CREATED]],
  ])('%s', async (_, microseconds, expected) => {
    const filter = { created_after: '1970-01-01T00:00:00Z' };
    const count = (segments: SegmentSearch<Filter>, run: RunSearch) => segments.count('w', filter, run);
    expect(await blocksReadBy(count, [microseconds])).toEqual(expected);
  });
});
