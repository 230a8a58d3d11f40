import fc from 'fast-check';
import { DataSource } from 'typeorm';
import type { NewComment } from '../../../src/content/comments/comments.repository.js';
import { aComment, storeComments } from '../../factories/comments.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { ContractClient, startWithClient } from '../../support/contract.js';

type Query = Record<string, string | number>;

const POSTS = 400;
const FLAIRS = ['', 'News', 'news', 'Help <wanted>'];

const { service, workspace, client } = await startWithClient();
const dataSource = service.app.get(DataSource);
beforeAll(async () => {
  await storePosts(
    service,
    workspace.workspaceId,
    Array.from({ length: POSTS }, (_, n) =>
      aPost(n, {
        createdUtc: new Date(Date.UTC(2026, 2, 20) + n * 3 * 3_600_000),
        flair: FLAIRS[n % FLAIRS.length],
        isNsfw: n % 5 === 0,
        hasMedia: n % 3 === 0,
        keywords: n % 2 === 0 ? ['battery', 'charger'] : ['battery', `rare ${n % 9}`],
        ...(n === 7 && {
          title: 'Batteries & <b>"solid" state</b>',
          selftext: 'Only here: zirconium cells.',
        }),
      }),
    ),
  );
  await storeComments(
    service,
    workspace.workspaceId,
    Array.from({ length: 300 }, (_, n) =>
      aComment(n, {
        postId: `t3_00000${n % 3}`,
        postPermalink:
          n % 7 === 0 ? '/user/ann/comments/1/x/' : `/r/${n % 2 ? 'chess' : 'Music'}/comments/1/x/`,
        forum: n % 7 === 0 ? 'u_ann' : n % 2 ? 'chess' : 'Music',
        sentimentLabel: n % 4 === 0 ? 'negative' : 'positive',
        createdUtc: new Date(Date.UTC(2026, 2, 28) + n * 1_800_000),
      }),
    ),
  );
});

const get = async <T>(path: string, query: Query): Promise<T> =>
  (await client.get<T>(workspace.path(path), { query })).body;

const rows = <T>(sql: string, parameters: unknown[] = []): Promise<T[]> =>
  dataSource.query<T[]>(sql, [workspace.workspaceId, ...parameters]);

/** Filters of posts with their meaning in SQL; `$2` onwards are their values. */
const POST_FILTERS: Record<string, { values: (string | number)[]; sql: string }> = {
  q: { values: ['minute', 'title:minute', 'batteries -charging', 'author:AUTHOR3 OR flair:news'], sql: '' },
  forum: { values: ['technology', 'none'], sql: 'lower(forum) = lower($)' },
  author: { values: ['AUTHOR1'], sql: 'lower(author) = lower($)' },
  min_score: { values: [40], sql: 'score >= $' },
  max_score: { values: [70], sql: 'score <= $' },
  post_type: { values: ['self'], sql: 'post_type = $' },
  sentiment: { values: ['negative'], sql: 'sentiment_label = $' },
  created_after: { values: ['2026-04-01T00:00:00Z', '2026-03-29T02:30:00+02:00'], sql: 'created_utc >= $' },
  created_before: { values: ['2026-04-20T12:00:00Z'], sql: 'created_utc < $' },
  flair: { values: ['NEWS'], sql: 'lower(flair) = lower($)' },
  is_nsfw: { values: ['true', 'false'], sql: 'is_nsfw = $' },
  has_media: { values: ['true'], sql: 'has_media = $' },
  min_comments: { values: [20], sql: 'num_comments >= $' },
  keyword: { values: ['charger', 'rare 4'], sql: '$ = ANY (keywords)' },
};
/** The queries above as hand-written conditions. */
const QUERIES: Record<string, string> = {
  minute: `search @@ '''~minut'''`,
  'title:minute': `search @@ '''~minut'':A'`,
  'batteries -charging': `search @@ '(batteri | ''~batteri'') & !(charg | ''~charg'')'`,
  'author:AUTHOR3 OR flair:news': `(author = 'author3' OR lower(flair) = 'news')`,
};

const someFilter: fc.Arbitrary<Query> = fc.record(
  Object.fromEntries(
    Object.entries(POST_FILTERS).map(([name, { values }]) => [name, fc.constantFrom(...values)]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Query>;

function condition(filter: Query): { where: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const parts = Object.entries(filter).map(([name, value]) =>
    name === 'q'
      ? QUERIES[value]!
      : POST_FILTERS[name]!.sql.replace('$', () => `$${parameters.push(value) + 1}`),
  );
  return { where: ['workspace_id = $1', ...parts].join(' AND '), parameters };
}

describe('a query', () => {
  it('may have 4,000 characters, however deep it nests, and is refused beyond', async () => {
    const q = `minute ${'('.repeat(3_993)}`;
    const { total } = await get<{ total: number }>('/posts', { q: 'minute' });
    expect(total).toBeGreaterThan(0);
    expect(await get('/posts', { q, limit: 1 })).toMatchObject({ total });
    const created = await client.post<{ filters: { q: string } }>(workspace.path('/exports'), {
      of: 'posts',
      format: 'csv',
      filters: { q },
    });
    expect([created.status, created.body.filters.q]).toEqual([201, q]);
    expect(await get('/posts', { q: `${q}(` })).toMatchObject({ code: 'validation_failed' });
  });
});

describe('filters, totals, facets and time series of posts', () => {
  it('equal plain SQL for generated combinations of filters', async () => {
    await fc.assert(
      fc.asyncProperty(someFilter, async (filter) => {
        const { where, parameters } = condition(filter);
        const expected = await rows<{ id: string }>(
          `SELECT id FROM posts WHERE ${where} ORDER BY created_utc DESC, id DESC`,
          parameters,
        );
        const page = await get<{ posts: { id: string }[]; total: number }>('/posts', {
          ...filter,
          limit: 200,
        });
        expect(page.total).toBe(expected.length);
        expect(page.posts.map(({ id }) => id)).toEqual(expected.slice(0, 200).map(({ id }) => id));

        const { total, facets } = await get<{ total: number; facets: Record<string, object[]> }>(
          '/analytics/facets',
          { ...filter, by: 'forum,keyword', limit: 3 },
        );
        expect(total).toBe(expected.length);
        expect(facets.forum).toEqual(
          await rows(
            `SELECT min(forum) AS value, count(*)::int AS count FROM posts WHERE ${where}
             GROUP BY lower(forum) ORDER BY 2 DESC, 1 LIMIT 3`,
            parameters,
          ),
        );
        expect(facets.keyword).toEqual(
          await rows(
            `SELECT value COLLATE "C" AS value, count(*)::int AS count FROM posts, unnest(keywords) AS value WHERE ${where}
             GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 3`,
            parameters,
          ),
        );

        const { buckets } = await get<{ buckets: { start: string; count: number }[] }>(
          '/analytics/timeseries',
          {
            ...filter,
            interval: 'week',
            timezone: 'Europe/Berlin',
          },
        );
        const counted = await rows<{ start: Date; count: number }>(
          `SELECT date_trunc('week', created_utc, 'Europe/Berlin') AS start, count(*)::int AS count
           FROM posts WHERE ${where} GROUP BY 1 ORDER BY 1`,
          parameters,
        );
        expect(buckets.filter(({ count }) => count > 0).map(({ start, count }) => [start, count])).toEqual(
          counted.map(({ start, count }) => [start.toISOString(), count]),
        );
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it('are refused by name when they cannot be read', async () => {
    for (const [name, value] of [
      ['created_after', 'yesterday'],
      ['created_after', '2026-02-30T00:00:00Z'],
      ['created_before', '2026-02-01T00:00:00'],
      ['created_after', '2026-02-01T00:00:00+23:00'],
      ['created_before', '2026-02-01T00:00:00-16:00'],
      ['is_nsfw', '1'],
      ['min_comments', '-1'],
    ] as const) {
      const { status, body } = await client.get<{ errors: { field: string }[] }>(workspace.path('/posts'), {
        query: { [name]: value },
      });
      expect([name, status, body.errors.map(({ field }) => field)]).toEqual([
        name,
        400,
        expect.arrayContaining([name]),
      ]);
    }
  });

  it('accept every offset that Postgres reads', async () => {
    const since = (created_after: string) => get<{ total: number }>('/posts', { created_after, limit: 1 });
    expect((await since('2026-04-01T15:59:00+15:59')).total).toBe(
      (await since('2026-04-01T00:00:00Z')).total,
    );
    expect((await since('2026-04-01T00:00:00-1559')).total).toBe((await since('2026-04-01T15:59:00Z')).total);
  });
});

it('facets of keywords alone equal those beside others', async () => {
  const facetsBy = async (by: string) =>
    (await get<{ total: number; facets: { keyword: object[] } }>('/analytics/facets', { by })).facets.keyword;
  expect(await facetsBy('keyword')).toEqual(await facetsBy('forum,keyword'));
});

describe('a time series', () => {
  interface Series {
    buckets: {
      start: string;
      count: number;
      mean_sentiment: number | null;
      split?: Record<string, number>;
    }[];
  }

  it('has every bucket of the period, handles a clock change, and splits', async () => {
    const { buckets } = await get<Series>('/analytics/timeseries', {
      interval: 'day',
      timezone: 'Europe/Berlin',
      created_after: '2026-03-27T23:00:00Z',
      created_before: '2026-03-31T00:00:00+02:00',
      split_by: 'post_type',
    });
    // Summer time begins on 29 March: that day has 23 hours, 8 of which also have a post.
    expect(buckets.map(({ start, count }) => [start, count])).toEqual([
      ['2026-03-27T23:00:00.000Z', 8],
      ['2026-03-28T23:00:00.000Z', 8],
      ['2026-03-29T22:00:00.000Z', 8],
    ]);
    for (const { count, split } of buckets)
      expect(Object.values(split!).reduce((sum, one) => sum + one, 0)).toBe(count);
    expect(buckets[0]!.mean_sentiment).toEqual(expect.any(Number));
  });

  it('counts spellings of a forum as one, under the name that facets give it', async () => {
    const other = await service.createWorkspace();
    await storePosts(
      service,
      other.workspaceId,
      ['chess', 'Chess', 'CHESS', 'music'].map((forum, n) =>
        aPost(n, { forum, createdUtc: new Date(Date.UTC(2026, 2, 20 + (n % 2))) }),
      ),
    );
    const reader = new ContractClient(service, other.apiKey);
    const { body } = await reader.get<Series>(other.path('/analytics/timeseries'), {
      query: { split_by: 'forum' },
    });
    expect(body.buckets.map(({ split }) => split)).toEqual([{ CHESS: 2 }, { CHESS: 1, music: 1 }]);
    const facets = await reader.get<{ facets: object }>(other.path('/analytics/facets'));
    expect(facets.body.facets).toEqual({
      forum: [
        { value: 'CHESS', count: 3 },
        { value: 'music', count: 1 },
      ],
    });
  });

  it('has no bucket without rows and period, and empty ones for a period', async () => {
    expect((await get<Series>('/analytics/timeseries', { q: 'nothing here' })).buckets).toEqual([]);
    const { buckets } = await get<Series>('/analytics/timeseries', {
      q: 'nothing',
      interval: 'hour',
      created_after: '2026-10-25T00:00:00+02:00',
      created_before: '2026-10-26T00:00:00+01:00',
      timezone: 'Europe/Berlin',
    });
    expect(buckets).toHaveLength(25);
    expect(buckets[0]).toEqual({ start: '2026-10-24T22:00:00.000Z', count: 0, mean_sentiment: null });
  });

  it.each([
    // Clocks are set back by half an hour at 15:00 UTC, and forward at 15:30.
    ['hour', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', '2026-04-04T18:00:00Z', 7],
    ['hour', 'Australia/Lord_Howe', '2026-10-03T12:30:00Z', '2026-10-03T18:00:00Z', 6],
    // Clocks go back from one to midnight, so the day begins twice.
    ['day', 'America/Havana', '2026-10-31T12:00:00Z', '2026-11-02T12:00:00Z', 3],
    // The island skipped 30 December.
    ['day', 'Pacific/Apia', '2011-12-29T00:00:00Z', '2011-12-31T10:00:00Z', 3],
  ])(
    'counts every row in its bucket by %s where clocks of %s change oddly',
    async (interval, timezone, created_after, created_before, buckets) => {
      const other = await service.createWorkspace();
      const [from, until] = [Date.parse(created_after), Date.parse(created_before)];
      const posts = Array.from({ length: Math.ceil((until - from) / 600_000) }, (_, n) => from + n * 600_000);
      await storePosts(
        service,
        other.workspaceId,
        posts.map((time, n) => aPost(n, { createdUtc: new Date(time) })),
      );
      const { body } = await new ContractClient(service, other.apiKey).get<Series>(
        other.path('/analytics/timeseries'),
        { query: { interval, timezone, created_after, created_before } },
      );
      expect(body.buckets).toHaveLength(buckets);
      const starts = body.buckets.map(({ start }) => Date.parse(start));
      const within = (index: number): number =>
        posts.filter((time) => (index === 0 || time >= starts[index]!) && !(time >= starts[index + 1]!))
          .length;
      expect(body.buckets.map(({ count }) => count)).toEqual(starts.map((_, index) => within(index)));
    },
  );

  it.each(['0001-01-01', '1970-01-01', '2100-01-01', '9999-12-31'])(
    'is not taken away by a row of %s',
    async (day) => {
      const other = await service.createWorkspace();
      const times = ['2026-04-02T12:00:00Z', `${day}T23:59:59Z`, '2026-04-01T12:00:00Z'];
      await storePosts(
        service,
        other.workspaceId,
        times.map((time, n) => aPost(n, { createdUtc: new Date(time) })),
      );
      const reader = new ContractClient(service, other.apiKey);
      for (const interval of ['hour', 'day', 'week', 'month']) {
        const { status, body } = await reader.get<Series>(other.path('/analytics/timeseries'), {
          query: { interval },
        });
        expect([interval, status]).toEqual([interval, 200]);
        const ofApril = body.buckets.filter(({ start }) => start >= '2026-03-30' && start < '2026-05');
        expect(ofApril.reduce((sum, { count }) => sum + count, 0)).toBe(2);
      }
      const { status } = await reader.get(other.path('/analytics/spikes'));
      expect(status).toBe(200);
    },
  );

  it('is refused for more than 2,000 buckets or an unknown zone', async () => {
    for (const [query, field] of [
      [
        { interval: 'hour', created_after: '2020-01-01T00:00:00Z', created_before: '2026-01-01T00:00:00Z' },
        'interval',
      ],
      [
        { interval: 'hour', created_after: '1000-01-01T00:00:00Z', created_before: '9999-01-01T00:00:00Z' },
        'interval',
      ],
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ timezone: 'CTT' }, 'timezone'],
      [{ of: 'comments', split_by: 'post_type' }, 'split_by'],
      [{ of: 'comments', is_nsfw: 'true' }, 'is_nsfw'],
    ] as const) {
      const { status, body } = await client.get<{ errors: { field: string }[] }>(
        workspace.path('/analytics/timeseries'),
        { query },
      );
      expect([status, body.errors.map((error) => error.field)]).toEqual([400, [field]]);
    }
  });
});

describe('frequent keywords', () => {
  it('have their count in the preceding period', async () => {
    const period = { created_after: '2026-04-10T00:00:00Z', created_before: '2026-04-20T00:00:00Z' };
    const { keywords } = await get<{ keywords: Record<string, unknown>[] }>('/analytics/keywords', {
      ...period,
      limit: 3,
    });
    expect(keywords[0]).toEqual({ keyword: 'battery', count: 80, previous_count: 80, change: 0 });
    expect(keywords).toHaveLength(3);
    const [first] = (await get<{ keywords: object[] }>('/analytics/keywords', { limit: 1 })).keywords;
    expect(first).toEqual({ keyword: 'battery', count: POSTS, previous_count: null, change: null });
  });

  it('are counted when the preceding period would begin before the year 1', async () => {
    const { keywords } = await get<{ keywords: object[] }>('/analytics/keywords', {
      created_after: '1970-01-01T00:00:00Z',
      created_before: '9999-12-31T00:00:00Z',
      limit: 1,
    });
    expect(keywords).toEqual([{ keyword: 'battery', count: POSTS, previous_count: 0, change: POSTS }]);
  });

  it('are empty when the period lies in the year 10000 of UTC', async () => {
    const end = '9999-12-31T23:59:59-15:59';
    const query = { created_after: end, created_before: end };
    expect(await get('/analytics/keywords', query)).toEqual({ keywords: [] });
  });
});

describe('highlights', () => {
  it('mark found words in escaped text, only in texts that have any', async () => {
    const { posts } = await get<{ posts: { highlights: object }[] }>('/posts', {
      q: 'solid zirconium',
      highlight: 'true',
    });
    expect(posts.map(({ highlights }) => highlights)).toEqual([
      {
        title: 'Batteries &amp; &lt;b&gt;&quot;<mark>solid</mark>&quot; state&lt;/b&gt;',
        selftext: 'Only here: <mark>zirconium</mark> cells.',
      },
    ]);
    const begun = await get<{ posts: { highlights: object }[] }>('/posts', {
      q: 'so* zirc*',
      sort_by: 'relevance',
      highlight: 'true',
    });
    expect(begun.posts.map(({ highlights }) => highlights)).toEqual(
      posts.map(({ highlights }) => highlights),
    );
    const plain = await get<{ posts: object[] }>('/posts', { q: 'zirconium' });
    expect(plain.posts[0]).not.toHaveProperty('highlights');
    const unsearched = await get<{ posts: { highlights: object }[] }>('/posts', {
      highlight: 'true',
      limit: 1,
    });
    expect(unsearched.posts[0]!.highlights).toEqual({});
  });
});

describe('comments', () => {
  interface Page {
    comments: { comment_id: string; parent_id: string; score: number }[];
    total: number;
    has_more: boolean;
    cursor?: string;
  }

  it('are filtered by forum, sentiment, score and time', async () => {
    const total = async (query: Query): Promise<number> => (await get<Page>('/comments', query)).total;
    const count = async (where: string): Promise<number> =>
      (
        await rows<{ n: number }>(
          `SELECT count(*)::int AS n FROM comments WHERE workspace_id = $1 AND ${where}`,
        )
      )[0]!.n;
    expect(await total({ forum: 'MUSIC' })).toBe(await count(`post_permalink LIKE '/r/Music/%'`));
    expect(await total({ forum: 'u_ann' })).toBe(await count(`post_permalink LIKE '/user/ann/%'`));
    expect(await total({ sentiment: 'negative', min_score: 12, max_score: 48 })).toBe(
      await count(`sentiment_label = 'negative' AND score BETWEEN 12 AND 48`),
    );
    // A comment was created at each end of the day.
    expect(
      await total({ created_after: '2026-03-29T00:00:00Z', created_before: '2026-03-30T00:00:00Z' }),
    ).toBe(await count(`created_utc >= '2026-03-29Z' AND created_utc < '2026-03-30Z'`));
    expect(
      await total({
        created_after: '2026-03-29T00:00:00Z',
        created_before: '2026-03-30T00:00:00Z',
        q: 'forum:chess',
      }),
    ).toBe(
      await count(
        `created_utc >= '2026-03-29Z' AND created_utc < '2026-03-30Z' AND post_permalink LIKE '/r/chess/%'`,
      ),
    );
    const { facets } = await get<{ facets: { forum: object[] } }>('/analytics/facets', {
      of: 'comments',
      by: 'forum',
    });
    expect(facets.forum[0]).toEqual({
      value: 'chess',
      count: await count(`post_permalink LIKE '/r/chess/%'`),
    });
  });

  it.each(['created_utc', 'score', 'sentiment_score', 'relevance'])(
    'are walked by cursor in the order of %s, each once',
    async (sort_by) => {
      for (const sort_order of ['asc', 'desc']) {
        const seen: string[] = [];
        for (let cursor = ''; ;) {
          const page = await get<Page>('/comments', {
            q: 'chargers',
            sort_by,
            sort_order,
            limit: 70,
            cursor,
          });
          seen.push(...page.comments.map(({ comment_id }) => comment_id));
          if (!page.has_more) break;
          cursor = page.cursor!;
        }
        expect(new Set(seen).size).toBe(300);
      }
    },
  );

  it('end with an empty page that returns the cursor it was sent', async () => {
    const walk = (cursor: string) => get<Page>('/comments', { sort_by: 'score', limit: 200, cursor });
    let page = await walk('');
    while (page.has_more) page = await walk(page.cursor!);
    expect(page.cursor).not.toBe('');
    expect(await walk(page.cursor!)).toMatchObject({ comments: [], cursor: page.cursor, has_more: false });
  });

  it('have a cursor only when one was sent, and refuse a foreign or repeated one', async () => {
    expect(await get<Page>('/comments', {})).not.toHaveProperty('cursor');
    const { cursor } = await get<Page>('/comments', { cursor: '', limit: 1 });
    const other = await client.get<{ code: string }>(workspace.path('/comments'), {
      query: { cursor: cursor!, author: 'author1' },
    });
    expect([other.status, other.body.code]).toEqual([400, 'invalid_cursor']);
    const posts = await client.get<{ code: string }>(workspace.path('/posts'), {
      query: { cursor: cursor! },
    });
    expect([posts.status, posts.body.code]).toEqual([400, 'invalid_cursor']);
    const both = await client.get<{ errors: object[] }>(workspace.path('/comments'), {
      query: { cursor: cursor!, offset: 1 },
    });
    expect(both.body.errors).toEqual([expect.objectContaining({ field: 'offset' })]);
  });

  it('are returned in reading order of a thread, replies after their parents', async () => {
    const own = await service.createWorkspace();
    const reader = new ContractClient(service, own.apiKey);
    const at = (n: number, parent: number | null, minute: number): NewComment =>
      aComment(n, {
        parentId: parent === null ? 't3_000001' : aComment(parent).commentId,
        createdUtc: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      });
    // The last ones reply to a comment that is not stored, and to themselves.
    await storeComments(service, own.workspaceId, [
      at(1, null, 5),
      at(2, null, 1),
      at(3, 1, 9),
      at(4, 1, 7),
      at(5, 4, 8),
      at(6, 2, 20),
      at(7, 99, 3),
      at(8, 8, 30),
    ]);
    const order = async (query: Query): Promise<number[]> => {
      const seen: number[] = [];
      for (let cursor = ''; ;) {
        const { body } = await reader.get<Page>(own.path('/comments'), {
          query: { post_id: 't3_000001', sort_by: 'thread', limit: 2, cursor, ...query },
        });
        seen.push(...body.comments.map(({ score }) => score));
        if (!body.has_more) return seen;
        cursor = body.cursor!;
      }
    };
    expect(await order({ sort_order: 'asc' })).toEqual([2, 6, 7, 1, 4, 5, 3, 8]);
    expect(await order({ sort_order: 'desc' })).toEqual([8, 1, 3, 4, 5, 7, 2, 6]);
    const { body } = await reader.get<{ errors: object[] }>(own.path('/comments'), {
      query: { sort_by: 'thread' },
    });
    expect(body.errors).toEqual([expect.objectContaining({ field: 'sort_by' })]);
  });

  it('can be paged in a thread of any depth', async () => {
    const own = await service.createWorkspace();
    const reader = new ContractClient(service, own.apiKey);
    const depth = 300;
    await storeComments(
      service,
      own.workspaceId,
      Array.from({ length: depth }, (_, n) =>
        aComment(n, { parentId: n === 0 ? 't3_000001' : aComment(n - 1).commentId }),
      ),
    );
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await reader.get<Page>(own.path('/comments'), {
        query: { post_id: aComment(0).postId, sort_by: 'thread', limit: 70, cursor },
      });
      seen.push(...body.comments.map(({ comment_id }) => comment_id));
      if (!body.has_more) break;
      cursor = body.cursor!;
    }
    expect(seen).toEqual(Array.from({ length: depth }, (_, n) => aComment(n).commentId));
  });

  it('can be fetched one by one', async () => {
    const { comment_id } = (await get<Page>('/comments', { limit: 1 })).comments[0]!;
    expect(await get('/comments/' + comment_id, {})).toMatchObject({ comment_id });
    for (const unknown of ['t1_never0', 'x', 't1_!', 't1_00000a0'])
      expect((await client.get(workspace.path(`/comments/${unknown}`), {})).status).toBe(404);
  });
});
