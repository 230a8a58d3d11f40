import fc from 'fast-check';
import type pg from 'pg';
import { fillSearchValues } from '../../scripts/bench/support/search-values.js';
import type { VersionedCount } from '../../src/database/count-deltas.js';
import { COMMENT_SEARCH, type CommentFilter } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH, type PostFilter } from '../../src/content/posts/post-filter.js';
import { type Ranking, rankingAt } from '../../src/search/relevance/ranking.js';
import { rankedWords } from '../../src/search/query/ranked-slots.js';
import { runOn, type RunSearch } from '../../src/search/search-database.js';
import {
  type BucketRow,
  INTERVALS,
  type ListPosition,
  MAX_BUCKETS,
  type SearchFilter,
  type SearchRequest,
  type SeriesRequest,
} from '../../src/search/search-request.js';
import { facetsOf, type ListOrder, type SearchedTable } from '../../src/search/searched-table.js';
import type { SegmentIndex } from '../../src/search/segments/read/segment-index.js';
import type { SegmentSearch } from '../../src/search/segments/read/segment-search.js';
import {
  periodBefore,
  selectFacets,
  selectKeywords,
  selectTimeSeries,
} from '../../src/search/sql/aggregates.js';
import { countRows, selectPage } from '../../src/search/sql/page-statements.js';
import { filterValue } from './filter-values.js';

/** Values of filters: one, several, and excluded ones. */
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
    '=batteries OR "usb solar"~5',
    'text:battery -title:battery',
    'author:AUTH* score:>10 comments:<=5',
    'is:nsfw OR has:comments',
    'is:promotion battery',
    '-is:promotion usb',
    'type:(self OR link) after:2026-02-01 keyword:USB',
    'sentiment:positive batter*',
    'source:reddit OR -source:hackernews',
    // Segments have no column for spoilers.
    'is:spoiler OR usb',
  ],
  forum: ['CHESS', 'Music', 'none', ['chess', 'none'], '!CHESS', ['!Music', '!none']],
  author: ['author2', 'ÄRGER', ['AUTHOR0', 'ärger'], '!author1'],
  min_score: [30],
  max_score: [70],
  post_type: ['self', ['self', 'link'], '!self'],
  sentiment: ['negative', 'neutral', ['negative', 'positive'], ['!negative', '!neutral']],
  source: ['reddit', ['hackernews', 'lemmy'], '!hackernews'],
  language: ['und', ['en', '!und']],
  created_after: ['2026-02-01T00:00:00Z', '2026-03-28T23:30:00.5+01:00'],
  created_before: ['2026-03-01T12:00:00Z', '2026-04-01T00:00:00Z'],
  flair: ['news', '', ['NEWS', ''], '!News', '!'],
  is_nsfw: [true, false],
  keyword: ['solar', 'usb', ['solar', 'usb'], '!solar', ['battery', '!usb']],
};
const COMMENT_FILTERS: { [Field in keyof CommentFilter]?: NonNullable<CommentFilter[Field]>[] } = {
  q: [...FILTERS.q!, 'forum:hn:ask OR forum:hn:show', 'author:Author1 OR author:Ä* -author:author0'],
  forum: ['CHESS', 'u_me', 'HN:Ask', ['u_ME', 'chess'], ['!chess', '!hn:show']],
  author: ['author2', 'ÄRGER', 'Author1', 'author1', ['author1', '!ärger']],
  min_score: [30],
  max_score: [70],
  sentiment: ['negative', ['negative', 'positive'], '!negative'],
  source: FILTERS.source!,
  created_after: FILTERS.created_after!,
  created_before: FILTERS.created_before!,
  post_id: ['t3_1'],
};

/** These values, and one for each filter that has none here. */
const everyFilter = (table: SearchedTable, values: Record<string, unknown[]>): Record<string, unknown[]> => ({
  ...Object.fromEntries(
    Object.keys(table.filters)
      .filter((name) => name !== 'ids')
      .map((name) => [name, [filterValue(table, name)]]),
  ),
  ...values,
});

/** Inserts rows by one of the statements below, and their words. */
export async function insertRows(
  client: pg.ClientBase,
  insert: string,
  parameters: readonly unknown[],
): Promise<void> {
  // One transaction: a reader or builder must not see rows without their words.
  await client.query('BEGIN');
  await client.query(insert, [...parameters]);
  await fillSearchValues(client, insert.includes('INTO posts') ? 'posts' : 'comments');
  await client.query('COMMIT');
}

/** Some of the filters, each with one of its values. */
export const someFilter = (filters: Record<string, unknown[]>): fc.Arbitrary<SearchFilter> =>
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
    sentiment_label, keywords, scraped_at, is_promotion)
  SELECT $1, (ARRAY['t3_', 't3_', 'hn_'])[1 + n % 3] || n, (ARRAY['chess', 'Chess', 'music'])[1 + n % 3],
    (ARRAY['Solar battery', 'A charger', '', 'O''Neil''s back\\slash'])[1 + n % 4],
    (ARRAY['author0', 'Author1', 'author1', 'author2', 'Ärger', 'ärger'])[1 + n % 6],
    timestamptz '2026-01-01' + (n % 1000) * interval '3 hours 1.234567 seconds', '/', n % 100, 0.5, n % 9,
    (ARRAY['battery', 'charger battery', 'solar', '', repeat('battery usb ', 40), 'wi-fi e-mail'])[1 + n % 6],
    (ARRAY['self', 'link'])[1 + n % 2], n % 5 = 0, false,
    (ARRAY['', 'News', 'news'])[1 + n % 3], 0, false, '{}', (n % 21 - 10) / 10.0,
    (ARRAY['negative', 'positive', 'neutral'])[1 + n % 3],
    string_to_array((ARRAY['solar,battery,solar', 'charger,usb', ''])[1 + n % 3], ','), now(), n % 7 = 0
  FROM generate_series($2::int, $3::int) AS n`;
/** The same for comments. */
export const INSERT_COMMENTS = `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id, author, body, score,
    created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at, is_promotion)
  SELECT $1, n, CASE n % 5 WHEN 3 THEN 'hn_' ELSE 't1_' END || n, 't3_' || n % 20, (ARRAY['/r/chess/', '/r/Chess/', '/user/Me/', '/item?id=1'])[1 + n % 4] || 'comments/1/',
    (ARRAY['chess', 'Chess', 'u_Me', (ARRAY['hn:ask', 'hn:Show', 'hn:job'])[1 + n % 3]])[1 + n % 4], 't3_1',
    (ARRAY['author0', 'Author1', 'author1', 'author2', 'Ärger', 'ärger'])[1 + n % 6],
    (ARRAY['battery', 'charger battery', 'solar', '', repeat('battery usb ', 40), 'wi-fi O''Neil'])[1 + n % 6], n % 100,
    timestamptz '2026-01-01' + (n % 1000) * interval '3 hours 1.234567 seconds', 0, false, (n % 21 - 10) / 10.0,
    (ARRAY['negative', 'positive', 'neutral'])[1 + n % 3], now(), n % 7 = 0
  FROM generate_series($2::int, $3::int) AS n`;

/** Both tables, with what a comparison needs to know of them. */
export const SUBJECTS = {
  posts: {
    table: POST_SEARCH,
    filters: everyFilter(POST_SEARCH, FILTERS),
    insert: INSERT_POSTS,
    id: (n: number) => `${n % 3 === 2 ? 'hn' : 't3'}_${n}`,
    splits: ['forum', 'sentiment', 'post_type', 'source'],
    sorts: ['created_utc', 'score', 'num_comments', 'sentiment_score'],
  },
  comments: {
    table: COMMENT_SEARCH,
    filters: everyFilter(COMMENT_SEARCH, COMMENT_FILTERS),
    insert: INSERT_COMMENTS,
    id: (n: number) => String(n),
    splits: ['forum', 'sentiment', 'source'],
    sorts: ['created_utc', 'score', 'sentiment_score'],
  },
};

/** Number of rows of a page by relevance. */
const PAGE = 7;

/** A time series without its table and filter. */
export type Series = Pick<SeriesRequest, 'interval' | 'timezone' | 'splitBy'>;

/** Compares results from the segments of a workspace with statements over its tables. */
export class SegmentComparison {
  readonly read: RunSearch;
  /** Whether all pages since the last reset were found in segments. */
  private isFound = true;

  constructor(
    private readonly reader: pg.Client,
    private readonly workspaceId: string,
  ) {
    const read = runOn(reader);
    this.read = Object.assign(
      <Row extends object>(sql: Parameters<RunSearch>[0]): Promise<Row[]> => {
        if (/delta_sums.*"sortValue"/s.test(sql.text)) this.isFound = false;
        return read<Row>(sql);
      },
      { inBinary: read.inBinary },
    );
  }

  /**
   * Checks that paging by relevance through the first rows, with pages alternately from segments and from statements,
   * equals one statement.
   */
  async compareRanking(
    table: SearchedTable,
    index: SegmentIndex,
    filter: SearchFilter,
    sort_order: 'asc' | 'desc',
  ): Promise<void> {
    const request = this.pageRequest(table, filter, { sort_by: 'relevance', sort_order });
    const words = rankedWords(filter.q);
    type Row = { id: string; sortValue: string };
    await this.withSegments(index, request, async (segments) => {
      const pageOf = (ranking: Ranking, after: ListPosition | null, limit: number, offset = 0) =>
        segments.page<Row>({ ...request, ranking, after, limit, offset });
      const first = await pageOf(await segments.ranking(request, words), null, PAGE);
      if (first.rows.length === 0) return expect(first.total).toBe(0);
      const ranking = rankingAt(words, first.rows[0]!.sortValue)!;
      const statement = (after: ListPosition | null, limit: number) =>
        this.read<Row>(selectPage({ ...request, after, limit, ranking }));
      const expected = await statement(null, 5 * PAGE);
      const skipping = (await pageOf(ranking, null, PAGE, 3)).rows;
      expect(skipping.map(numbered)).toEqual(expected.slice(3, 3 + PAGE).map(numbered));
      const walked = first.rows;
      for (let page = 1; page < 5 && walked.length === page * PAGE; page += 1) {
        const last = walked.at(-1)!;
        const after = { id: last.id, value: last.sortValue };
        walked.push(
          ...(page % 2 === 0 ? (await pageOf(ranking, after, PAGE)).rows : await statement(after, PAGE)),
        );
      }
      expect(walked.map(numbered)).toEqual(expected.map(numbered));
      expect(first.total).toBe(await this.total(request));
    });
  }

  /**
   * Checks that paging by a column, with rows found by segments, equals one statement; returns whether segments found
   * all pages.
   */
  async compareOrder(
    table: SearchedTable,
    index: SegmentIndex,
    filter: SearchFilter,
    order: ListOrder,
  ): Promise<boolean> {
    type Row = { rowId: string; sortValue: string };
    // An alias "id" would be what the rows are sorted by.
    const request = { ...this.pageRequest(table, filter, order), columns: 'id::text AS "rowId"' };
    const idsOf = (rows: Row[]) => rows.map(({ rowId, sortValue }) => [rowId, sortValue]);
    const compared = await this.withSegments(index, request, async (segments) => {
      const expected = idsOf(await this.read<Row>(selectPage({ ...request, limit: 4 * PAGE })));
      this.isFound = true;
      const walked: Row[] = [];
      for (let page = 0; page < 4 && walked.length === page * PAGE; page += 1) {
        const last = walked.at(-1);
        const after = last === undefined ? null : { value: last.sortValue, id: last.rowId };
        const found = await segments.page<Row>({ ...request, after });
        walked.push(...found.rows);
        expect(found.total).toBe(await this.total(request));
      }
      expect(idsOf(walked)).toEqual(expected);
      const skipping = await segments.page<Row>({ ...request, offset: 3 });
      expect(idsOf(skipping.rows)).toEqual(expected.slice(3, 3 + PAGE));
      return this.isFound;
    });
    return compared ?? false;
  }

  /**
   * Compares totals, facets, keywords and a series from segments with statements over the table. Returns the total from
   * segments; null when they cannot answer.
   */
  compare(
    table: SearchedTable,
    index: SegmentIndex,
    filter: SearchFilter,
    what: 'facets' | 'keywords' | Series,
  ): Promise<number | null> {
    const request = { table, workspaceId: this.workspaceId, filter };
    return this.withSegments(index, request, async (segments) => {
      const count = await segments.count(request);
      expect(count).toEqual((await this.read<VersionedCount>(countRows(request)))[0]);
      if (what === 'facets') {
        const facets = { ...request, by: facetsOf(table), limit: 5 };
        expect(await segments.facets(facets)).toEqual(await this.read(selectFacets(facets)));
      } else if (what === 'keywords') {
        const keywords = { ...request, limit: 3 };
        expect(await segments.keywords(keywords)).toEqual(await this.read(selectKeywords(keywords)));
      } else {
        const series = { ...request, ...what };
        const buckets = await segments.timeSeries(series);
        const expected = await this.read<BucketRow>(selectTimeSeries(series));
        // More buckets than allowed are refused, whatever they contain.
        const isRefused = buckets.length > MAX_BUCKETS;
        if (isRefused)
          expect(new Set(expected.map(({ start }) => start.getTime())).size).toBe(buckets.length);
        else expect(buckets.map(rounded)).toEqual(expected.map(rounded));
      }
      return count.total;
    });
  }

  /** How many rows match, by a statement. */
  async total(request: SearchRequest): Promise<number> {
    return (await this.read<VersionedCount>(countRows(request)))[0]!.total;
  }

  private pageRequest(table: SearchedTable, filter: SearchFilter, order: ListOrder) {
    const columns = 'id::text AS id';
    const nothing = { after: null, ranking: null, lastCount: null };
    return { table, workspaceId: this.workspaceId, columns, filter, order, limit: PAGE, ...nothing };
  }

  /** Null when segments cannot answer. */
  private async withSegments<T>(
    index: SegmentIndex,
    { filter }: SearchRequest,
    work: (segments: SegmentSearch) => Promise<T>,
  ): Promise<T | null> {
    await this.reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    try {
      const before = periodBefore(filter);
      const filters = before === null ? [filter] : [filter, { ...filter, ...before }];
      const segments = await index.open(this.workspaceId, filters, this.read);
      return segments && (await work(segments));
    } finally {
      await this.reader.query('COMMIT');
    }
  }
}

/** JavaScript and Postgres may write the same number differently. */
const numbered = ({ id, sortValue }: { id: string; sortValue: string }) => [
  id,
  ...sortValue.split(',').map(Number),
];

/** The last digits of a sum of fractions depend on the order of addition. */
const rounded = (row: BucketRow) => ({ ...row, sentimentSum: Number(row.sentimentSum.toFixed(6)) + 0 });
