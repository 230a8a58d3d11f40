import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';
import type { DataSource } from 'typeorm';
import type { VersionedCount } from '../../src/database/count-deltas.js';
import { CommentForums1792000090100 } from '../../src/database/migrations/1792000090100-comment-forums.js';
import type { Sql } from '../../src/database/sql.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH, type CommentFilter } from '../../src/modules/comments/comment-filter.js';
import { POST_SEARCH, type PostFilter } from '../../src/modules/posts/post-filter.js';
import {
  type BucketRow,
  INTERVALS,
  selectFacets,
  selectKeywords,
  MAX_BUCKETS,
  selectTimeSeries,
  type SeriesRequest,
} from '../../src/modules/search/aggregates.js';
import { type Ranking, rankingAt, scoreAt } from '../../src/modules/search/relevance/ranking.js';
import { rankedWords } from '../../src/modules/search/relevance/word-statistics.js';
import { runOn, type RunSearch } from '../../src/modules/search/search-database.js';
import {
  countRows,
  type ListOrder,
  type ListPosition,
  type SearchedTable,
  selectById,
  selectPage,
} from '../../src/modules/search/searched-table.js';
import { BlockCache } from '../../src/modules/search/segments/block-cache.js';
import { SegmentBuilder } from '../../src/modules/search/segments/segment-builder.js';
import { SegmentSearch } from '../../src/modules/search/segments/segment-search.js';
import { numberOf } from '../../src/modules/search/sort-value.js';
import { connect, createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';

/** The filters that both tables have in common. */
interface AnyFilter {
  q?: string;
  created_after?: string;
  created_before?: string;
}
type AnyTable = SearchedTable<AnyFilter, string>;
const [POSTS, COMMENTS] = [POST_SEARCH, COMMENT_SEARCH] as unknown as [AnyTable, AnyTable];

const COMBINATIONS = 1_000;
const ROWS = 500;
/** Number of rows of a page by relevance. */
const PAGE = 7;
const NO_LIMITS = { leastRows: 0, mostChanged: 1_000_000 };

const FILTERS: { [Field in keyof PostFilter]?: NonNullable<PostFilter[Field]>[] } = {
  q: [
    'battery',
    'battery -charger',
    'title:solar OR author:AUTHOR1',
    'the',
    'the forum:CHESS',
    '-(solar battery)',
    '-title:solar charger',
    'bat* OR -e',
    'title:so* usb',
    'charger -so* OR a* music',
    `o'neil OR back\\slash`,
    'flair:NEWS OR (forum:music -author:author0)',
    '"solar battery"',
    '"battery usb battery" OR "charger battery"',
    'charger -"battery a battery"',
    '"solar of battery"',
    'title:"solar battery" OR title:"a charger"',
    'wi-fi',
    'wi-f*',
  ],
  forum: ['CHESS', 'Music', 'none'],
  author: ['author2', 'ÄRGER'],
  min_score: [30],
  max_score: [70],
  post_type: ['self'],
  sentiment: ['negative', 'neutral'],
  created_after: ['2026-02-01T00:00:00Z', '2026-03-28T23:30:00.5+01:00'],
  created_before: ['2026-03-01T12:00:00Z', '2026-04-01T00:00:00Z'],
  flair: ['news', ''],
  is_nsfw: [true, false],
  min_comments: [5],
  keyword: ['solar', 'usb'],
};
const COMMENT_FILTERS: typeof FILTERS & { [Field in keyof CommentFilter]?: string[] | number[] } = {
  q: [...FILTERS.q!, 'forum:hn:ask OR forum:hn:show'],
  forum: ['CHESS', 'u_me', 'HN:Ask'],
  author: ['author2', 'ÄRGER'],
  min_score: [30],
  max_score: [70],
  sentiment: ['negative'],
  created_after: FILTERS.created_after!,
  created_before: FILTERS.created_before!,
  post_id: ['t3_1'],
};

const someFilter = (filters: Record<string, unknown[]>): fc.Arbitrary<AnyFilter> =>
  fc
    .subarray(Object.keys(filters), { maxLength: 4 })
    .chain((fields) =>
      fc
        .tuple(...fields.map((field) => fc.constantFrom(...filters[field]!)))
        .map((values) => Object.fromEntries(fields.map((field, index) => [field, values[index]]))),
    );

const someSeries = (splits: string[]) =>
  fc.record({
    interval: fc.constantFrom(...INTERVALS),
    timezone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/Havana',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    ),
    splitBy: fc.constantFrom(null, ...splits),
  });

/** Texts and names that differ in case, need quoting, are empty, or occur often. */
const INSERT_POSTS = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score, upvote_ratio,
    num_comments, selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls, sentiment_score,
    sentiment_label, keywords, scraped_at)
  SELECT $1, 't3_' || n, (ARRAY['chess', 'Chess', 'music'])[1 + n % 3],
    (ARRAY['Solar battery', 'A charger', '', 'O''Neil''s back\\slash'])[1 + n % 4],
    (ARRAY['author0', 'Author1', 'author1', 'author2', 'Ärger', 'ärger'])[1 + n % 6],
    timestamptz '2026-01-01' + (n % 1000) * interval '3 hours 1.234567 seconds', '/', n % 100, 0.5, n % 9,
    (ARRAY['battery', 'charger battery', 'solar', '', repeat('battery usb ', 40), 'wi-fi e-mail'])[1 + n % 6],
    (ARRAY['self', 'link'])[1 + n % 2], n % 5 = 0, false,
    (ARRAY['', 'News', 'news'])[1 + n % 3], 0, false, '{}', (n % 21 - 10) / 10.0,
    (ARRAY['negative', 'positive', 'neutral'])[1 + n % 3],
    string_to_array((ARRAY['solar,battery,solar', 'charger,usb', ''])[1 + n % 3], ','), now()
  FROM generate_series($2::int, $3::int) AS n`;
const INSERT_COMMENTS = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id, author, body, score,
    created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at)
  SELECT $1, n, 't1_' || n, 't3_' || n % 20, (ARRAY['/r/chess/', '/r/Chess/', '/user/Me/', '/item?id=1'])[1 + n % 4] || 'comments/1/',
    (ARRAY[NULL, 'Chess', NULL, (ARRAY['hn:ask', 'hn:Show', NULL])[1 + n % 3]])[1 + n % 4], 't3_1',
    (ARRAY['author0', 'Author1', 'author1', 'author2', 'Ärger', 'ärger'])[1 + n % 6],
    (ARRAY['battery', 'charger battery', 'solar', '', repeat('battery usb ', 40), 'wi-fi O''Neil'])[1 + n % 6], n % 100,
    timestamptz '2026-01-01' + (n % 1000) * interval '3 hours 1.234567 seconds', 0, false, (n % 21 - 10) / 10.0,
    (ARRAY['negative', 'positive', 'neutral'])[1 + n % 3], now()
  FROM generate_series($2::int, $3::int) AS n`;

describe('segments', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let reader: pg.Client;
  let writer: pg.Client;
  let builder: SegmentBuilder;
  let workspaceId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    [reader, writer] = [await connect(database.url), await connect(database.url)];
    read = runOn(reader);
    readInside = Object.assign(
      async <Row extends object>(sql: Sql): Promise<Row[]> =>
        /^(BEGIN|COMMIT|ROLLBACK)/.test(sql.text) ? [] : read<Row>(sql),
      { inBinary: read.inBinary },
    );
    builder = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource), 1);
  }, 60_000);
  beforeEach(async () => {
    workspaceId = randomUUID();
    await writer.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, [workspaceId]);
  });
  afterAll(async () => {
    await Promise.all([reader.end(), writer.end(), dataSource.destroy()]);
    await database.drop();
  });

  let read: RunSearch;
  /** For searches inside a transaction that the test has begun. */
  let readInside: RunSearch;

  async function inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    return work().finally(() => reader.query('COMMIT'));
  }

  async function buildAll(): Promise<void> {
    for (let due = await builder.due(); due.length > 0; due = await builder.due())
      for (const table of due) await builder.build(table);
  }

  /**
   * Checks that paging by relevance through the first rows, with pages alternately from segments and from statements,
   * equals one statement.
   */
  async function compareRanking(
    table: AnyTable,
    search: SegmentSearch<AnyFilter>,
    filter: AnyFilter,
    sort_order: 'asc' | 'desc',
  ): Promise<void> {
    const order = { sort_by: 'relevance', sort_order };
    const words = await rankedWords(filter.q, read);
    type Row = { id: string; sortValue: string };
    await inSnapshot(async () => {
      const pageOf = (known: Ranking | null, after: ListPosition | null, limit: number, offset = 0) =>
        search.relevance<Row>(
          workspaceId,
          filter,
          {
            words,
            known,
            isDescending: sort_order === 'desc',
            after: after && { id: after.id, score: scoreAt(after.value) },
            limit,
            offset,
          },
          (rows) => selectById(table, workspaceId, 'id::text AS id', filter, rows, false),
          readInside,
        );
      const first = await pageOf(null, null, PAGE);
      if (first === null || first.rows.length === 0) return;
      const ranking = rankingAt(words, first.rows[0]!.sortValue)!;
      const statement = (after: ListPosition | null, limit: number) =>
        read<Row>(selectPage(table, workspaceId, 'id::text AS id', filter, order, { after, limit, ranking }));
      const expected = await statement(null, 5 * PAGE);
      const skipping = (await pageOf(null, null, PAGE, 3))!.rows;
      expect(skipping.map(numbered)).toEqual(expected.slice(3, 3 + PAGE).map(numbered));
      const walked = first.rows;
      for (let page = 1; page < 5 && walked.length === page * PAGE; page += 1) {
        const last = walked.at(-1)!;
        const after = { id: last.id, value: last.sortValue };
        walked.push(
          ...(page % 2 === 0 ? (await pageOf(ranking, after, PAGE))!.rows : await statement(after, PAGE)),
        );
      }
      expect(walked.map(numbered)).toEqual(expected.map(numbered));
      expect(first.total).toBe((await read<VersionedCount>(countRows(table, workspaceId, filter)))[0]!.total);
    });
  }

  /**
   * Checks that paging by a column, with rows found by segments, equals one statement; returns whether segments found
   * all pages.
   */
  async function compareOrder(
    table: AnyTable,
    search: SegmentSearch<AnyFilter>,
    filter: AnyFilter,
    order: ListOrder<string>,
  ): Promise<boolean> {
    type Row = { rowId: string; sortValue: string };
    const statement = (after: ListPosition | null, limit: number, among?: string[]) =>
      selectPage(table, workspaceId, 'id::text AS "rowId"', filter, order, { after, limit, among });
    return inSnapshot(async () => {
      const walked: Row[] = [];
      for (let page = 0; page < 4 && walked.length === page * PAGE; page += 1) {
        const last = walked.at(-1);
        const after = last === undefined ? null : { id: last.rowId, value: last.sortValue };
        const from = after && numberOf(table.sorts[order.sort_by]!.type, after.value);
        expect(from === null).toBe(after === null);
        const found = await search.sorted<Row>(
          workspaceId,
          filter,
          {
            column: order.sort_by,
            isDescending: order.sort_order === 'desc',
            from,
            limit: PAGE,
          },
          (among) => statement(after, PAGE, among),
          readInside,
        );
        if (found === null) return false;
        walked.push(...found.rows);
        expect(found.total).toBe(
          (await read<VersionedCount>(countRows(table, workspaceId, filter)))[0]!.total,
        );
      }
      const idsOf = (rows: Row[]) => rows.map(({ rowId, sortValue }) => [rowId, sortValue]);
      expect(idsOf(walked)).toEqual(idsOf(await read<Row>(statement(null, 4 * PAGE))));
      return true;
    });
  }

  /**
   * Compares totals, facets, keywords and a series from segments with statements over the table. Returns the results
   * from segments.
   */
  async function compare(
    table: AnyTable,
    search: SegmentSearch<AnyFilter>,
    filter: AnyFilter,
    what: 'facets' | 'keywords' | SeriesRequest,
  ): Promise<number | null> {
    const by = Object.keys(table.facets);
    return inSnapshot(async () => {
      const count = await search.count(workspaceId, filter, readInside);
      if (count === null) return null;
      expect(count).toEqual((await read<VersionedCount>(countRows(table, workspaceId, filter)))[0]);
      if (what === 'facets')
        expect(await search.facets(workspaceId, filter, by, 5, readInside)).toEqual(
          await read(selectFacets(table, workspaceId, filter, by, 5)),
        );
      else if (what === 'keywords')
        expect(await search.keywords(workspaceId, filter, 3, readInside)).toEqual(
          await read(selectKeywords(table, workspaceId, filter, 3)),
        );
      else {
        const buckets = await search.timeSeries(workspaceId, filter, what, readInside);
        const expected = await read<BucketRow>(selectTimeSeries(table, workspaceId, filter, what));
        // More buckets than allowed are refused, whatever they contain.
        const isRefused = buckets!.length > MAX_BUCKETS;
        if (isRefused)
          expect(new Set(expected.map(({ start }) => start.getTime())).size).toBe(buckets!.length);
        else expect(buckets!.map(rounded)).toEqual(expected.map(rounded));
      }
      return count.total;
    });
  }

  const subjects = {
    posts: {
      table: POSTS,
      filters: FILTERS,
      insert: INSERT_POSTS,
      id: (n: number) => `t3_${n}`,
      splits: ['forum', 'sentiment', 'post_type'],
      sorts: ['created_utc', 'score', 'num_comments', 'sentiment_score'],
    },
    comments: {
      table: COMMENTS,
      filters: COMMENT_FILTERS,
      insert: INSERT_COMMENTS,
      id: (n: number) => String(n),
      splits: ['forum', 'sentiment'],
      sorts: ['created_utc', 'score', 'sentiment_score'],
    },
  };

  it.each(['posts', 'comments'] as const)(
    'equal statements over the table while %s are written and segments are built and merged',
    async (kind) => {
      const { table, filters, insert, id, splits, sorts } = subjects[kind];
      const asked = kind === 'posts' ? (['facets', 'keywords'] as const) : (['facets'] as const);
      const search = new SegmentSearch(table, new BlockCache(), NO_LIMITS);
      await writer.query(insert, [workspaceId, 1, ROWS]);
      await builder.build({ workspaceId, kind });
      let isWriting = true;
      const writes = (async () => {
        let written = 0;
        for (let next = ROWS + 1; isWriting; next += 5) {
          await writer.query(insert, [workspaceId, next, next + 4]);
          await writer.query(
            `UPDATE ${kind} SET score = (score + 13) % 100, sentiment_label = 'negative', author = 'Author2'
             WHERE workspace_id = $1 AND id = ANY ($2)`,
            [workspaceId, [id(next - 50), id(next - 51)]],
          );
          await writer.query(`DELETE FROM ${kind} WHERE workspace_id = $1 AND id = ANY ($2)`, [
            workspaceId,
            [0, 1, 2, 3, 4].map((n) => id(next - ROWS + n)),
          ]);
          if (next % 20 === 1) await writer.query(insert, [workspaceId, next - ROWS, next - ROWS + 1]);
          written += 1;
        }
        return written;
      })();
      const builds = (async () => {
        let built = 0;
        while (isWriting) {
          await builder.build({ workspaceId, kind });
          built += 1;
        }
        return built;
      })();
      const totals = new Set<number | null>();
      let sorted = 0;
      await fc
        .assert(
          fc.asyncProperty(
            someFilter(filters as Record<string, unknown[]>),
            fc.oneof(fc.constantFrom<('facets' | 'keywords')[]>(...asked), someSeries(splits)),
            fc.constantFrom<('asc' | 'desc')[]>('asc', 'desc'),
            fc.constantFrom(...sorts),
            async (filter, what, direction, sort) => {
              totals.add(await compare(table, search, filter, what));
              if (filter.q === undefined) return;
              await compareRanking(table, search, filter, direction);
              const order = { sort_by: sort, sort_order: direction };
              if (await compareOrder(table, search, filter, order)) sorted += 1;
            },
          ),
          { numRuns: COMBINATIONS, seed: 12, endOnFailure: true },
        )
        .finally(() => (isWriting = false));
      expect(await writes).toBeGreaterThan(10);
      expect(await builds).toBeGreaterThan(10);
      expect(totals.size).toBeGreaterThan(20);
      expect(totals).toContain(null);
      expect(sorted).toBeGreaterThan(100);
    },
    300_000,
  );

  it('of many rows equal statements over the table, with dense terms and outdated rows', async () => {
    const search = new SegmentSearch(POSTS, new BlockCache(), NO_LIMITS);
    await writer.query(INSERT_POSTS, [workspaceId, 1, 12_000]);
    await buildAll();
    await writer.query(`UPDATE posts SET forum = 'moved' WHERE workspace_id = $1 AND score < 10`, [
      workspaceId,
    ]);
    await buildAll();
    await writer.query('DELETE FROM posts WHERE workspace_id = $1 AND score = 50', [workspaceId]);
    const series = { interval: 'day', timezone: 'UTC', splitBy: 'forum' } as const;
    for (const q of ['battery', 'title:battery', 'battery -title:charger', '-solar', '"battery usb battery"'])
      for (const forum of [undefined, 'chess', 'moved'])
        expect(await compare(POSTS, search, { q, forum } as AnyFilter, series)).toBeGreaterThan(100);
  });

  it('include rows that predate the triggers, and are not used before all of them are listed', async () => {
    const search = new SegmentSearch(POST_SEARCH, new BlockCache(), NO_LIMITS);
    await writer.query('ALTER TABLE posts DISABLE TRIGGER USER');
    await writer.query(INSERT_POSTS, [workspaceId, 1, 300]);
    await writer.query('ALTER TABLE posts ENABLE TRIGGER USER');
    await writer.query(`INSERT INTO search_backlogs (workspace_id, kind) VALUES ($1, 'posts')`, [
      workspaceId,
    ]);
    await writer.query('UPDATE posts SET score = score + 1 WHERE workspace_id = $1 AND score = 5', [
      workspaceId,
    ]);
    const count = () => search.count(workspaceId, { min_score: 6 }, read);
    expect(await count()).toBeNull();
    await buildAll();
    const again = new SegmentSearch(POST_SEARCH, new BlockCache(), NO_LIMITS);
    expect((await again.count(workspaceId, { min_score: 6 }, read))!.total).toBe(
      (await read<VersionedCount>(countRows(POST_SEARCH, workspaceId, { min_score: 6 })))[0]!.total,
    );
  });

  it('are built and read without the changed rows of other workspaces', async () => {
    const search = new SegmentSearch(POSTS, new BlockCache(), NO_LIMITS);
    await writer.query(INSERT_POSTS, [workspaceId, 1, 100]);
    await buildAll();
    const other = randomUUID();
    await writer.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'other')`, [other]);
    await writer.query(INSERT_POSTS, [other, 1, 100]);
    await writer.query(`UPDATE posts SET score = 1 WHERE workspace_id = $1 AND id = 't3_1'`, [workspaceId]);
    const series = { interval: 'day', timezone: 'UTC', splitBy: null } as const;
    for (const what of ['facets', 'keywords', series] as const)
      expect(await compare(POSTS, search, { forum: 'chess' } as AnyFilter, what)).toBeGreaterThan(50);
    // As many as one step of the other workspace would take.
    await writer.query('UPDATE search_changes SET row_count = 65536 WHERE workspace_id = $1', [other]);
    expect(await builder.build({ workspaceId, kind: 'posts' })).toMatchObject({ rows: 1 });
    await writer.query('DELETE FROM workspaces WHERE id = $1', [other]);
  });

  it('stay unchanged when a build fails at any statement', async () => {
    const search = new SegmentSearch(POST_SEARCH, new BlockCache(), NO_LIMITS);
    await writer.query(INSERT_POSTS, [workspaceId, 1, 200]);
    await buildAll();
    await writer.query('UPDATE posts SET score = 1000 WHERE workspace_id = $1 AND score < 50', [workspaceId]);
    const total = async () => (await search.count(workspaceId, { min_score: 60 }, read))!.total;
    const expected = await total();
    let isDone = false;
    let failing = 0;
    while (!isDone) {
      failing += 1;
      const runner = new TransactionRunner(dataSource);
      const interrupted: Pick<TransactionRunner, 'runInSnapshot'> = {
        runInSnapshot: (work) =>
          runner.runInSnapshot((tx) => {
            let left = failing;
            const query = async (text: string, parameters: unknown[]): Promise<unknown> => {
              const rows: unknown = await tx.query(text, parameters);
              if ((left -= 1) === 0) throw new Error('interrupted');
              return rows;
            };
            return work(Object.assign(Object.create(tx) as typeof tx, { query }));
          }),
      };
      const build = new SegmentBuilder([POST_SEARCH], interrupted as TransactionRunner).build({
        workspaceId,
        kind: 'posts',
      });
      isDone = await build.then(
        () => true,
        () => false,
      );
      expect(await total()).toBe(expected);
    }
    expect(failing).toBeGreaterThan(8);
  });

  it('leave no transaction open when a search over them fails', async () => {
    const failing: RunSearch = Object.assign(
      <Row extends object>(sql: Sql): Promise<Row[]> =>
        /^(BEGIN|COMMIT|ROLLBACK)/.test(sql.text) ? read<Row>(sql) : Promise.reject(new Error('lost')),
      { inBinary: read.inBinary },
    );
    const search = new SegmentSearch(POSTS, new BlockCache(), NO_LIMITS);
    await expect(search.count(workspaceId, {}, failing)).rejects.toThrow('lost');
    const { rows } = await reader.query(`SELECT current_setting('transaction_isolation') AS isolation`);
    expect(rows).toEqual([{ isolation: 'read committed' }]);
  });

  it('contain no words of deleted rows after a day, however few were deleted', async () => {
    const usual = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], new TransactionRunner(dataSource));
    const isDue = async () => (await usual.due()).some((due) => due.workspaceId === workspaceId);
    const blocksWithWord = async () =>
      (
        await read({
          text: `SELECT FROM search_blocks WHERE workspace_id = $1 AND position('zanzibar'::bytea IN data) > 0`,
          parameters: [workspaceId],
        })
      ).length;
    await writer.query(INSERT_POSTS, [workspaceId, 1, 200]);
    await writer.query(`UPDATE posts SET title = 'Zanzibar' WHERE workspace_id = $1 AND id = 't3_7'`, [
      workspaceId,
    ]);
    await buildAll();
    await writer.query(`DELETE FROM posts WHERE workspace_id = $1 AND id = 't3_7'`, [workspaceId]);
    expect(await isDue()).toBe(false);
    await writer.query(`UPDATE search_changes SET changed_at = changed_at - interval '12 hours'`);
    expect(await isDue()).toBe(true);
    await usual.build({ workspaceId, kind: 'posts' });
    expect([await isDue(), await blocksWithWord()]).toEqual([false, 1]);
    await writer.query(`UPDATE search_segments SET outdated_since = outdated_since - interval '12 hours'`);
    // A row that changed meanwhile stays listed, and its change is read from the table.
    await writer.query(`UPDATE posts SET title = 'Timbuktu' WHERE workspace_id = $1 AND id = 't3_8'`, [
      workspaceId,
    ]);
    expect(await isDue()).toBe(true);
    await usual.build({ workspaceId, kind: 'posts' });
    expect([await isDue(), await blocksWithWord()]).toEqual([false, 0]);
    const search = new SegmentSearch(POSTS, new BlockCache(), NO_LIMITS);
    for (const [q, total] of Object.entries({ zanzibar: 0, timbuktu: 1, '-zanzibar': 199 }))
      expect(await compare(POSTS, search, { q }, 'facets')).toBe(total);
  });

  it('without lengths, as earlier versions wrote them, rank nothing until they are rewritten', async () => {
    const { length, ...columns } = POST_SEARCH.segments.columns;
    expect(length).toBeDefined();
    const earlier = { ...POST_SEARCH, segments: { ...POST_SEARCH.segments, columns } };
    await writer.query(INSERT_POSTS, [workspaceId, 1, 100]);
    await new SegmentBuilder([earlier], new TransactionRunner(dataSource), 1).build({
      workspaceId,
      kind: 'posts',
    });
    const search = new SegmentSearch(POSTS, new BlockCache(), NO_LIMITS);
    const words = await rankedWords('battery', read);
    const rank = () =>
      search.relevance(
        workspaceId,
        { q: 'battery' },
        { words, known: null, isDescending: true, after: null, limit: PAGE, offset: 0 },
        (rows) => selectById(POSTS, workspaceId, 'id', {}, rows, false),
        read,
      );
    expect(await rank()).toBeNull();
    expect(await search.count(workspaceId, { q: 'battery' }, read)).not.toBeNull();
    // As the migration marks them.
    await writer.query(`UPDATE search_segments SET outdated_since = '-infinity'`);
    await buildAll();
    expect((await rank())!.rows).toHaveLength(PAGE);
  });

  it('without positions, as earlier versions wrote them, find no phrases until they are rewritten', async () => {
    const search = new SegmentSearch(POSTS, new BlockCache(), NO_LIMITS);
    await writer.query(INSERT_POSTS, [workspaceId, 1, 100]);
    await buildAll();
    await writer.query('UPDATE search_segments SET has_positions = false WHERE workspace_id = $1', [
      workspaceId,
    ]);
    const count = (q: string) => compare(POSTS, search, { q }, 'facets');
    expect([await count('battery'), await count('"charger battery"')]).toEqual([expect.any(Number), null]);
    await buildAll();
    expect(await count('"charger battery"')).toBeGreaterThan(10);
  });

  it('of versions without forums of comments are rewritten with them', async () => {
    const pathForum = { expression: `split_part(post_permalink, '/', 3)`, kind: 'name' } as const;
    const earlier = { ...COMMENT_SEARCH, facets: { ...COMMENT_SEARCH.facets, forum: pathForum } };
    await writer.query(INSERT_COMMENTS, [workspaceId, 1, 120]);
    const runner = new TransactionRunner(dataSource);
    await new SegmentBuilder([earlier], runner, 1).build({ workspaceId, kind: 'comments' });
    // As that version wrote them.
    await writer.query('UPDATE search_segments SET has_forums = DEFAULT WHERE workspace_id = $1', [
      workspaceId,
    ]);
    await buildAll();
    const search = new SegmentSearch(COMMENTS, new BlockCache(), NO_LIMITS);
    expect(await compare(COMMENTS, search, { q: 'forum:hn:ask' }, 'facets')).toBe(10);
  });

  it('include the forums that a migration fills in', async () => {
    await writer.query(INSERT_POSTS, [workspaceId, 1, 20]);
    await writer.query(INSERT_COMMENTS, [workspaceId, 1, 120]);
    await writer.query('UPDATE comments SET forum = NULL, id = id + $2 WHERE workspace_id = $1', [
      workspaceId,
      2 ** 52,
    ]);
    await buildAll();
    const search = new SegmentSearch(COMMENTS, new BlockCache(), NO_LIMITS);
    const count = () => compare(COMMENTS, search, { q: 'forum:music' }, 'facets');
    const before = await count();
    const migration = dataSource.createQueryRunner();
    await new CommentForums1792000090100().up(migration);
    await migration.release();
    const listed = await count();
    await buildAll();
    expect([before, listed, await count()]).toEqual([0, 36, 36]);
  });

  it('of a truncated table are deleted', async () => {
    const search = new SegmentSearch(POST_SEARCH, new BlockCache(), { leastRows: -1, mostChanged: 1 });
    await writer.query(INSERT_POSTS, [workspaceId, 1, 100]);
    await buildAll();
    await writer.query('TRUNCATE posts');
    expect(await search.count(workspaceId, {}, read)).toMatchObject({ total: 0 });
  });
});

/** JavaScript and Postgres may write the same number differently. */
const numbered = ({ id, sortValue }: { id: string; sortValue: string }) => [
  id,
  ...sortValue.split(',').map(Number),
];

/** The last digits of a sum of fractions depend on the order of addition. */
const rounded = (row: BucketRow) => ({ ...row, sentimentSum: Number(row.sentimentSum.toFixed(6)) + 0 });
