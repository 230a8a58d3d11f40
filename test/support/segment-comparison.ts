import fc from 'fast-check';
import type pg from 'pg';
import type { VersionedCount } from '../../src/database/count-deltas.js';
import type { Sql } from '../../src/database/sql.js';
import { COMMENT_SEARCH, type CommentFilter } from '../../src/modules/comments/comment-filter.js';
import { POST_SEARCH, type PostFilter } from '../../src/modules/posts/post-filter.js';
import {
  type BucketRow,
  INTERVALS,
  MAX_BUCKETS,
  selectFacets,
  selectKeywords,
  selectTimeSeries,
  type SeriesRequest,
} from '../../src/modules/search/sql/aggregates.js';
import { type Ranking, rankingAt, scoreAt } from '../../src/modules/search/relevance/ranking.js';
import { rankedWords } from '../../src/modules/search/relevance/word-statistics.js';
import { runOn, type RunSearch } from '../../src/modules/search/search-database.js';
import { selectById, selectFound } from '../../src/modules/search/sql/found-rows.js';
import {
  countRows,
  type ListOrder,
  type ListPosition,
  type SearchedTable,
  selectPage,
} from '../../src/modules/search/searched-table.js';
import type { SegmentSearch } from '../../src/modules/search/segments/read/segment-search.js';
import { numberOf } from '../../src/modules/search/sort-value.js';

/** The filters that both tables have in common. */
export interface AnyFilter {
  q?: string;
  created_after?: string;
  created_before?: string;
}
export type AnyTable = SearchedTable<AnyFilter, string>;
export const [POSTS, COMMENTS] = [POST_SEARCH, COMMENT_SEARCH] as unknown as [AnyTable, AnyTable];

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

/** Some of the filters, each with one of its values. */
export const someFilter = (filters: Record<string, unknown[]>): fc.Arbitrary<AnyFilter> =>
  fc
    .subarray(Object.keys(filters), { maxLength: 4 })
    .chain((fields) =>
      fc
        .tuple(...fields.map((field) => fc.constantFrom(...filters[field]!)))
        .map((values) => Object.fromEntries(fields.map((field, index) => [field, values[index]]))),
    );

/** A time series of any interval, in any zone, split by nothing or one of the fields. */
export const someSeries = (splits: string[]) =>
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
export const INSERT_POSTS = `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, score, upvote_ratio,
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
/** The same for comments. */
export const INSERT_COMMENTS = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id, author, body, score,
    created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at)
  SELECT $1, n, 't1_' || n, 't3_' || n % 20, (ARRAY['/r/chess/', '/r/Chess/', '/user/Me/', '/item?id=1'])[1 + n % 4] || 'comments/1/',
    (ARRAY['chess', 'Chess', 'u_Me', (ARRAY['hn:ask', 'hn:Show', 'hn:job'])[1 + n % 3]])[1 + n % 4], 't3_1',
    (ARRAY['author0', 'Author1', 'author1', 'author2', 'Ärger', 'ärger'])[1 + n % 6],
    (ARRAY['battery', 'charger battery', 'solar', '', repeat('battery usb ', 40), 'wi-fi O''Neil'])[1 + n % 6], n % 100,
    timestamptz '2026-01-01' + (n % 1000) * interval '3 hours 1.234567 seconds', 0, false, (n % 21 - 10) / 10.0,
    (ARRAY['negative', 'positive', 'neutral'])[1 + n % 3], now()
  FROM generate_series($2::int, $3::int) AS n`;

/** Both tables, with what a comparison needs to know of them. */
export const SUBJECTS = {
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

/** Number of rows of a page by relevance. */
const PAGE = 7;

/** Compares results from the segments of a workspace with statements over its tables. */
export class SegmentComparison {
  readonly read: RunSearch;
  /** For searches inside a transaction that the comparison has begun. */
  private readonly readInside: RunSearch;

  constructor(
    private readonly reader: pg.Client,
    private readonly workspaceId: string,
  ) {
    const read = runOn(reader);
    this.read = read;
    this.readInside = Object.assign(
      async <Row extends object>(sql: Sql): Promise<Row[]> =>
        /^(BEGIN|COMMIT|ROLLBACK)/.test(sql.text) ? [] : read<Row>(sql),
      { inBinary: read.inBinary },
    );
  }

  /**
   * Checks that paging by relevance through the first rows, with pages alternately from segments and from statements,
   * equals one statement.
   */
  async compareRanking(
    table: AnyTable,
    search: SegmentSearch<AnyFilter>,
    filter: AnyFilter,
    sort_order: 'asc' | 'desc',
  ): Promise<void> {
    const order = { sort_by: 'relevance', sort_order };
    const words = await rankedWords(filter.q, this.read);
    type Row = { id: string; sortValue: string };
    await this.inSnapshot(async () => {
      const pageOf = (known: Ranking | null, after: ListPosition | null, limit: number, offset = 0) =>
        search.relevance<Row>(
          this.workspaceId,
          filter,
          {
            words,
            known,
            isDescending: sort_order === 'desc',
            after: after && { id: after.id, score: scoreAt(after.value) },
            limit,
            offset,
          },
          (rows) => selectById(table, this.workspaceId, 'id::text AS id', filter, rows, false),
          this.readInside,
        );
      const first = await pageOf(null, null, PAGE);
      if (first === null) return;
      if (first.rows.length === 0) return expect(first.total).toBe(0);
      const ranking = rankingAt(words, first.rows[0]!.sortValue)!;
      const statement = (after: ListPosition | null, limit: number) =>
        this.read<Row>(
          selectPage(table, this.workspaceId, 'id::text AS id', filter, order, { after, limit, ranking }),
        );
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
      expect(first.total).toBe(
        (await this.read<VersionedCount>(countRows(table, this.workspaceId, filter)))[0]!.total,
      );
    });
  }

  /**
   * Checks that paging by a column, with rows found by segments, equals one statement; returns whether segments found
   * all pages.
   */
  async compareOrder(
    table: AnyTable,
    search: SegmentSearch<AnyFilter>,
    filter: AnyFilter,
    order: ListOrder<string>,
  ): Promise<boolean> {
    type Row = { rowId: string; sortValue: string };
    const columns = 'id::text AS "rowId"';
    const pageOf = (last: Row | undefined, offset = 0) => {
      const from = last === undefined ? null : numberOf(table.sorts[order.sort_by]!.type, last.sortValue);
      expect(from === null).toBe(last === undefined);
      const after = last === undefined ? null : { number: from!, id: last.rowId };
      return search.sorted<Row>(
        this.workspaceId,
        filter,
        {
          column: order.sort_by,
          isDescending: order.sort_order === 'desc',
          from,
          limit: PAGE + offset,
        },
        (rows) =>
          selectFound(table, this.workspaceId, columns, filter, order, { after, limit: PAGE, offset }, rows),
        this.readInside,
      );
    };
    return this.inSnapshot(async () => {
      const page = { after: null, limit: 4 * PAGE };
      const sql = selectPage(table, this.workspaceId, columns, filter, order, page);
      const idsOf = (rows: Row[]) => rows.map(({ rowId, sortValue }) => [rowId, sortValue]);
      const expected = idsOf(await this.read<Row>(sql));
      const walked: Row[] = [];
      for (let page = 0; page < 4 && walked.length === page * PAGE; page += 1) {
        const found = await pageOf(walked.at(-1));
        if (found === null) return false;
        walked.push(...found.rows);
        expect(found.total).toBe(
          (await this.read<VersionedCount>(countRows(table, this.workspaceId, filter)))[0]!.total,
        );
      }
      expect(idsOf(walked)).toEqual(expected);
      const skipping = await pageOf(undefined, 3);
      if (skipping !== null) expect(idsOf(skipping.rows)).toEqual(expected.slice(3, 3 + PAGE));
      return true;
    });
  }

  /**
   * Compares totals, facets, keywords and a series from segments with statements over the table. Returns the results
   * from segments.
   */
  async compare(
    table: AnyTable,
    search: SegmentSearch<AnyFilter>,
    filter: AnyFilter,
    what: 'facets' | 'keywords' | SeriesRequest,
  ): Promise<number | null> {
    const by = Object.keys(table.facets);
    return this.inSnapshot(async () => {
      const count = await search.count(this.workspaceId, filter, this.readInside);
      if (count === null) return null;
      expect(count).toEqual((await this.read<VersionedCount>(countRows(table, this.workspaceId, filter)))[0]);
      if (what === 'facets')
        expect(await search.facets(this.workspaceId, filter, by, 5, this.readInside)).toEqual(
          await this.read(selectFacets(table, this.workspaceId, filter, by, 5)),
        );
      else if (what === 'keywords')
        expect(await search.keywords(this.workspaceId, filter, 3, this.readInside)).toEqual(
          await this.read(selectKeywords(table, this.workspaceId, filter, 3)),
        );
      else {
        const buckets = await search.timeSeries(this.workspaceId, filter, what, this.readInside);
        const expected = await this.read<BucketRow>(selectTimeSeries(table, this.workspaceId, filter, what));
        // More buckets than allowed are refused, whatever they contain.
        const isRefused = buckets!.length > MAX_BUCKETS;
        if (isRefused)
          expect(new Set(expected.map(({ start }) => start.getTime())).size).toBe(buckets!.length);
        else expect(buckets!.map(rounded)).toEqual(expected.map(rounded));
      }
      return count.total;
    });
  }

  private async inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    await this.reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    return work().finally(() => this.reader.query('COMMIT'));
  }
}

/** JavaScript and Postgres may write the same number differently. */
const numbered = ({ id, sortValue }: { id: string; sortValue: string }) => [
  id,
  ...sortValue.split(',').map(Number),
];

/** The last digits of a sum of fractions depend on the order of addition. */
const rounded = (row: BucketRow) => ({ ...row, sentimentSum: Number(row.sentimentSum.toFixed(6)) + 0 });
