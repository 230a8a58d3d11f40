import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { inSnapshot, SearchDatabase } from '../../src/search/search-database.js';
import { BlockCache } from '../../src/search/segments/read/block-cache.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { SegmentIndex } from '../../src/search/segments/read/segment-index.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';

interface Count {
  value: string;
  count: number;
}

const sandbox = await openSandbox({ forums: { small: { posts: 250, commentsPerPost: 4 } } });
const service = await startTestApplication({
  ...scrapingFrom(sandbox.baseUrl),
  HACKERNEWS_API_URL: `${sandbox.baseUrl}/hackernews/api/v1`,
});
const dataSource = service.app.get(DataSource);
const workspace = await service.createWorkspace();

describe('comments of Hacker News', () => {
  /** Number of comments by the forum of their post, most first. */
  let expected: Count[];

  beforeAll(async () => {
    for (const target of ['hn:new', 'hn:job', 'small'])
      await runJob(service, workspace, { target, limit: 60, download_media: false });
    expected = await dataSource.query<Count[]>(
      `SELECT posts.forum AS value, count(*)::int AS count FROM comments
       JOIN posts ON posts.workspace_id = comments.workspace_id AND posts.id = comments.post_id
       WHERE comments.workspace_id = $1 GROUP BY 1 ORDER BY 2 DESC, posts.forum COLLATE "C"`,
      [workspace.workspaceId],
    );
  });

  const get = <T>(path: string) => call<T>(service, workspace, 'GET', path);

  it('belong to several forums, next to those of Reddit', () => {
    expect(expected.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['hn:story', 'hn:ask', 'hn:show', 'small']),
    );
  });

  it('are found by the forum of their post, with a filter and in a query', async () => {
    for (const { value, count } of expected) {
      expect(await get(`/comments?forum=${value.toUpperCase()}`)).toMatchObject({ total: count });
      expect(await get(`/comments?q=forum:${value}`)).toMatchObject({ total: count });
      expect(await get(`/exports/comments?format=json&forum=${value}`)).toHaveLength(count);
    }
  });

  it('are counted by the forum of their post', async () => {
    const { facets } = await get<{ facets: { forum: Count[] } }>('/analytics/facets?of=comments&by=forum');
    expect(facets.forum).toEqual(expected);
    const { buckets } = await get<{ buckets: { split: Record<string, number> }[] }>(
      '/analytics/timeseries?of=comments&interval=month&split_by=forum',
    );
    const totals = new Map<string, number>();
    for (const { split } of buckets)
      for (const [value, count] of Object.entries(split)) totals.set(value, (totals.get(value) ?? 0) + count);
    expect(Object.fromEntries(totals)).toEqual(
      Object.fromEntries(expected.map(({ value, count }) => [value, count])),
    );
  });

  it('are counted by the forum of their post in segments', async () => {
    const builder = new SegmentBuilder([COMMENT_SEARCH], new TransactionRunner(dataSource), 1);
    await builder.build({ workspaceId: workspace.workspaceId, kind: 'comments' });
    const limits = { leastRows: 1, mostChanged: 0 };
    const index = new SegmentIndex(COMMENT_SEARCH, new BlockCache(), limits);
    const { workspaceId } = workspace;
    const request = { table: COMMENT_SEARCH, workspaceId, filter: {}, by: ['forum'], limit: 10 };
    const rows = await service
      .get(SearchDatabase)
      .run(workspaceId, (run) =>
        inSnapshot(run, async () => (await index.open(workspaceId, [{}], run))!.facets(request)),
      );
    expect(rows.filter(({ facet }) => facet === 'forum')).toEqual(
      expected.map((row) => ({ facet: 'forum', ...row })),
    );
  });

  it('have the fields of other comments', async () => {
    const fields = async (forum: string): Promise<string[]> => {
      const { comments } = await get<{ comments: object[] }>(`/comments?forum=${forum}&limit=1`);
      return Object.keys(comments[0]!);
    };
    expect(await fields('hn:story')).toEqual(await fields('small'));
    expect(await fields('hn:story')).not.toContain('forum');
  });
});
