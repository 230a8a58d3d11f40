import { jest } from '@jest/globals';
import type { Sql } from '../database/sql.js';
import { POST_SEARCH } from '../content/posts/post-filter.js';
import type { RunSearch, SearchDatabase } from './search-database.js';
import type { PageRequest } from './search-request.js';
import { SearchService } from './search.service.js';
import { BlockCache } from './segments/read/block-cache.js';
import { SegmentIndex } from './segments/read/segment-index.js';
import type { SegmentSearch } from './segments/read/segment-search.js';

const requestOf = (filter: object): PageRequest => ({
  table: POST_SEARCH,
  workspaceId: 'w',
  columns: 'id',
  filter: filter,
  order: { sort_by: 'score', sort_order: 'desc' },
  after: null,
  limit: 1,
});

/** A search over a database that answers each statement with `rows`, with segments that have `totals` of pages. */
function serviceOver(rows: object[], totals: { revision: string; total: number }[] | null) {
  const statements: string[] = [];
  const run = ((sql: Sql) => {
    statements.push(sql.text.split(' ', 1)[0]!);
    return Promise.resolve(rows);
  }) as unknown as RunSearch;
  const database: Pick<SearchDatabase, 'run'> = { run: (_, search) => search(run) };
  const page = jest.fn((_: PageRequest) => Promise.resolve({ rows: [], ...totals!.shift()! }));
  const engine = totals && ({ page } as unknown as SegmentSearch);
  const open = jest.spyOn(SegmentIndex.prototype, 'open').mockResolvedValue(engine);
  return {
    service: new SearchService(database as SearchDatabase, new BlockCache(1_000_000)),
    statements,
    page,
    open,
  };
}

describe('a page of a search', () => {
  afterEach(() => jest.restoreAllMocks());

  it('comes from segments while a field without an index matches few rows', async () => {
    const { service, page } = serviceOver(
      [{ revision: '2', total: 0 }],
      [
        { revision: '1', total: 9_999 },
        { revision: '2', total: 10_000 },
        { revision: '2', total: 5 },
      ],
    );
    const total = async (filter: object) => (await service.page(requestOf(filter))).total;
    const filter = { forum: 'news', keyword: 'war' };
    expect([await total(filter), await total(filter), await total(filter)]).toEqual([9_999, 10_000, 10_000]);
    expect(page).toHaveBeenCalledTimes(2);
    expect(await total({ keyword: 'peace' })).toBe(5);
  });

  it('of words comes from segments however many rows match', async () => {
    const count = { revision: '1', total: 10_000 };
    const { service, page } = serviceOver([], [count, count]);
    for (let number = 0; number < 2; number += 1) await service.page(requestOf({ q: 'solid' }));
    expect(page).toHaveBeenCalledTimes(2);
  });

  it('of a filter that the count deltas count is one statement', async () => {
    const { service, statements, open } = serviceOver([{ revision: '1', total: 7 }], null);
    expect((await service.page(requestOf({ forum: 'news' }))).total).toBe(7);
    expect(statements).toEqual(['WITH']);
    expect(open).not.toHaveBeenCalled();
  });

  it('of rows that did not change since they were counted is one statement', async () => {
    const { service, statements } = serviceOver(
      [{ revision: '1', total: 99 }],
      [
        { revision: '1', total: 5 },
        { revision: '2', total: 6 },
      ],
    );
    const total = async () => (await service.page(requestOf({ author: 'ann' }))).total;
    expect([await total(), await total()]).toEqual([5, 5]);
    expect(statements).toEqual(['WITH', 'BEGIN', 'COMMIT', 'WITH']);
  });

  it('has its total from the same snapshot when segments cannot answer', async () => {
    const { service, statements } = serviceOver([{ revision: '1', total: 3 }], null);
    expect((await service.page(requestOf({ q: 'solid' }))).total).toBe(3);
    expect(statements).toEqual(['BEGIN', 'WITH', 'WITH', 'COMMIT']);
  });

  it('leaves no transaction open when a statement fails', async () => {
    const { service, statements, page } = serviceOver([], []);
    page.mockRejectedValueOnce(new Error('lost'));
    await expect(service.page(requestOf({ q: 'solid' }))).rejects.toThrow('lost');
    expect(statements).toEqual(['BEGIN', 'ROLLBACK']);
  });
});
