import { jest } from '@jest/globals';
import type { Sql } from '../../database/sql.js';
import { POST_SEARCH } from '../posts/post-filter.js';
import type { RunSearch, SearchDatabase } from './search-database.js';
import { SegmentSearch } from './segments/read/segment-search.js';
import { TableSearch } from './table-search.js';

interface Filter {
  q?: string;
  forum?: string;
  keyword?: string;
}

const ORDER = { sort_by: 'score', sort_order: 'desc' } as const;

/** A search over a database that answers each statement with `rows`. */
function searchOf(rows: object[]): { search: TableSearch<Filter, 'score'>; statements: Sql[] } {
  const statements: Sql[] = [];
  const run = ((sql: Sql) => {
    statements.push(sql);
    return Promise.resolve(rows);
  }) as unknown as RunSearch;
  const database = {
    run: <T>(_workspace: string, search: (run: RunSearch) => Promise<T>): Promise<T> => search(run),
  };
  const { sorts, ...table } = POST_SEARCH;
  const search = new TableSearch<Filter, 'score'>(
    {
      ...table,
      conditions: POST_SEARCH.conditions,
      countedFields: [],
      indexedFields: ['forum'],
      segments: { columns: {}, bounds: {}, flags: [] },
      sorts: { score: sorts.score },
    },
    database as unknown as SearchDatabase,
  );
  return { search, statements };
}

describe('a page of a table', () => {
  afterEach(() => jest.restoreAllMocks());

  it('with words begins at its position and reads ids up to its last row', async () => {
    const sorted = jest.spyOn(SegmentSearch.prototype, 'sorted').mockResolvedValue(null);
    jest.spyOn(SegmentSearch.prototype, 'count').mockResolvedValue(null);
    const { search } = searchOf([{ revision: '1', total: 0 }]);
    await search.page('w', 'id', { q: 'solid' }, ORDER, { after: null, limit: 11, offset: 30 });
    await search.page('w', 'id', { q: 'solid' }, ORDER, { after: { value: '-7', id: 't3_a' }, limit: 11 });
    expect(sorted.mock.calls.map(([, , range]) => range)).toEqual([
      { column: 'score', isDescending: true, from: null, limit: 41 },
      { column: 'score', isDescending: true, from: -7, limit: 11 },
    ]);
  });

  it('comes from segments while a field without an index matches few rows, as far as is known', async () => {
    const sorted = jest
      .spyOn(SegmentSearch.prototype, 'sorted')
      .mockResolvedValueOnce({ revision: '1', total: 9_999, rows: [] })
      .mockResolvedValue({ revision: '2', total: 10_000, rows: [] });
    const { search } = searchOf([{ revision: '2', total: 0 }]);
    const page = (filter: Filter) => search.page('w', 'id', filter, ORDER, { after: null, limit: 1 });
    const filter = { forum: 'news', keyword: 'war' };
    const totals = [await page(filter), await page(filter), await page(filter)].map(({ total }) => total);
    expect(totals).toEqual([9_999, 10_000, 10_000]);
    expect(sorted).toHaveBeenCalledTimes(2);
    await page({ keyword: 'peace' });
    expect(sorted).toHaveBeenCalledTimes(3);
  });

  it('with words comes from segments however many rows match', async () => {
    const sorted = jest
      .spyOn(SegmentSearch.prototype, 'sorted')
      .mockResolvedValue({ revision: '1', total: 10_000, rows: [] });
    const { search } = searchOf([]);
    for (let number = 0; number < 2; number += 1)
      await search.page('w', 'id', { q: 'solid' }, ORDER, { after: null, limit: 1 });
    expect(sorted).toHaveBeenCalledTimes(2);
  });

  it('without such a field comes from the table', async () => {
    const sorted = jest.spyOn(SegmentSearch.prototype, 'sorted');
    jest.spyOn(SegmentSearch.prototype, 'count').mockResolvedValue({ revision: '1', total: 5 });
    const { search } = searchOf([{ revision: '1', total: 0 }]);
    await search.page('w', 'id', { forum: 'news' }, ORDER, { after: null, limit: 1 });
    await search.page('w', 'id', {}, ORDER, { after: null, limit: 1 });
    expect(sorted).not.toHaveBeenCalled();
  });

  it('counts once for each revision of the rows', async () => {
    jest.spyOn(SegmentSearch.prototype, 'sorted').mockResolvedValue(null);
    const count = jest
      .spyOn(SegmentSearch.prototype, 'count')
      .mockResolvedValueOnce({ revision: '1', total: 5 })
      .mockResolvedValueOnce({ revision: '2', total: 6 });
    const row = { id: 't3_a', revision: '1', total: 99 };
    const { search } = searchOf([row]);
    const total = async (workspaceId = 'w'): Promise<number> =>
      (await search.page(workspaceId, 'id', { q: 'solid' }, ORDER, { after: null, limit: 1 })).total;
    expect([await total(), await total()]).toEqual([5, 5]);
    row.revision = '2';
    expect([await total(), await total()]).toEqual([6, 6]);
    expect(count).toHaveBeenCalledTimes(2);
    count.mockResolvedValueOnce({ revision: '2', total: 0 });
    expect(await total('another')).toBe(0);
  });
});
