import { jest } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { JobsRepository } from '../../src/collect/jobs/jobs.repository.js';
import { Job } from '../../src/collect/jobs/job.entity.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import { SearchService } from '../../src/search/search.service.js';
import { BlockCache } from '../../src/search/segments/read/block-cache.js';
import { SegmentBuilder } from '../../src/search/segments/build/segment-builder.js';
import { SegmentIndex } from '../../src/search/segments/read/segment-index.js';
import { VersionedCountCache } from '../../src/database/versioned-count-cache.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { Webhook } from '../../src/deliver/webhooks/webhook.entity.js';
import { WebhooksRepository } from '../../src/deliver/webhooks/webhooks.repository.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { until } from '../support/until.js';

/** Sends HTTP requests that use repositories whose condition on the workspace was removed. */
describe('a repository without its condition on the workspace', () => {
  let service: TestApplication;
  let dataSource: DataSource;
  let own: TestWorkspace;
  let other: TestWorkspace;
  let otherId: string;

  const ask = async (workspace: TestWorkspace, method: string, path: string, body?: object) => {
    const response = await fetch(service.url + workspace.path(path), {
      method,
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string }[] & { id: string } };
  };

  beforeAll(async () => {
    service = await startTestApplication();
    dataSource = service.app.get(DataSource);
    own = await service.createWorkspace();
    other = await service.createWorkspace();
    for (const workspace of [own, other])
      otherId = (await ask(workspace, 'POST', '/webhooks', { url: 'https://example.com/hook' })).body.id;
  });
  afterEach(() => jest.restoreAllMocks());

  it('lists only rows of the workspace', async () => {
    const webhooks = service.get(WebhooksRepository);
    jest.spyOn(webhooks, 'list').mockImplementation(() => dataSource.manager.find(Webhook));
    expect(await dataSource.manager.count(Webhook)).toBe(2);
    const listed = await ask(own, 'GET', '/webhooks');
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(1);
    expect(listed.body[0]!.id).not.toBe(otherId);
  });

  it('finds, changes and deletes no row of another workspace', async () => {
    const id = otherId.replace(/^wh_/, '');
    const webhooks = service.get(WebhooksRepository);
    jest.spyOn(webhooks, 'find').mockImplementation(() => dataSource.manager.findOneBy(Webhook, { id }));
    jest.spyOn(webhooks, 'lock').mockImplementation((_workspace, _id, tx) => tx.findOneBy(Webhook, { id }));
    jest
      .spyOn(webhooks, 'delete')
      .mockImplementation(async () => (await dataSource.manager.delete(Webhook, { id })).affected === 1);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(
        (await ask(own, method, `/webhooks/${otherId}`, method === 'PATCH' ? {} : undefined)).status,
      ).toBe(404);
    expect(await dataSource.manager.countBy(Webhook, { id })).toBe(1);
  });

  it('adds no row to another workspace', async () => {
    const jobs = service.get(JobsRepository);
    const insert = jobs.insert.bind(jobs);
    jest
      .spyOn(jobs, 'insert')
      .mockImplementation((job, tx) => insert({ ...job, workspaceId: other.workspaceId }, tx));
    expect((await ask(own, 'POST', '/jobs', { target: 'technology' })).status).toBe(500);
    expect(await dataSource.manager.count(Job)).toBe(0);
  });
});

/** Numbers of posts, and of comments, of the workspace that sends the requests and of another one. */
const OWN_ROWS = 3;
const OTHER_ROWS = 5;
const POOLS_OF_LISTS = ['wss-search', 'wss-export', 'wss-export-jobs'];

/** Sends HTTP requests while the conditions on the workspace are removed from all statements of some pools. */
describe('lists, searches and exports without their condition on the workspace', () => {
  let service: TestApplication;
  let own: TestWorkspace;
  let other: TestWorkspace;
  /** How many conditions were removed. */
  let removed = 0;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api,worker' });
    own = await service.createWorkspace();
    other = await service.createWorkspace();
    for (const [{ workspaceId }, rows] of [
      [own, OWN_ROWS],
      [other, OTHER_ROWS],
    ] as const) {
      const numbers = Array.from({ length: rows }, (_, number) => number);
      const post = { forum: 'cells', author: 'someone', keywords: ['battery'] };
      await storePosts(
        service,
        workspaceId,
        numbers.map((number) => aPost(number, post)),
      );
      const comment = { forum: 'cells', author: 'someone', body: 'about batteries' };
      await storeComments(
        service,
        workspaceId,
        numbers.map((number) => aComment(number, comment)),
      );
    }
  });
  beforeEach(() => {
    removed = 0;
    const query = pg.Client.prototype.query as (...statement: unknown[]) => unknown;
    jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: { connectionParameters: { application_name: string } },
      ...[statement, ...rest]: unknown[]
    ) {
      const isList = typeof statement === 'string' && statement.includes('FROM "posts" "PostRecord"');
      if (!isList && !POOLS_OF_LISTS.includes(this.connectionParameters.application_name))
        return query.call(this, statement, ...rest);
      if (typeof statement === 'string') return query.call(this, withoutConditions(statement), ...rest);
      const { text } = statement as { text: string };
      return query.call(this, Object.assign(statement as object, { text: withoutConditions(text) }), ...rest);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  const withoutConditions = (sql: string): string =>
    sql.replace(
      /(?:(?<![.\w])workspace_id|"PostRecord"."workspace_id") = (\$\d+|'[^']+')/g,
      (_, value: string) => {
        removed += 1;
        return `${value}::uuid IS NOT NULL`;
      },
    );

  const ask = async <T>(path: string): Promise<T> => {
    const answer = await call<T>(service, own, 'GET', path);
    expect(removed).toBeGreaterThan(0);
    return answer;
  };

  const PAGES = ['', 'forum=Cells', 'author=someone', 'q=battery', 'q=battery&sort_by=relevance'];

  const searches = (): void => {
    it.each(PAGES)('list the posts of the workspace: %s', async (query) => {
      const { posts, total } = await ask<{ posts: object[]; total: number }>(`/posts?${query}`);
      expect({ rows: posts.length, total }).toEqual({ rows: OWN_ROWS, total: OWN_ROWS });
    });

    it.each([...PAGES, 'post_id=t3_000001&sort_by=thread'])(
      'list the comments of the workspace: %s',
      async (query) => {
        const { comments, total } = await ask<{ comments: object[]; total: number }>(`/comments?${query}`);
        expect({ rows: comments.length, total }).toEqual({ rows: OWN_ROWS, total: OWN_ROWS });
      },
    );

    it.each([
      ['posts', 'forum'],
      ['posts', 'keyword'],
      ['comments', 'author'],
    ])('count the %s of the workspace by %s', async (of, by) => {
      const { total, facets } = await ask<{ total: number; facets: Record<string, { count: number }[]> }>(
        `/analytics/facets?of=${of}&by=${by}&q=battery`,
      );
      expect({ total, counts: facets[by]!.map(({ count }) => count) }).toEqual({
        total: OWN_ROWS,
        counts: [OWN_ROWS],
      });
    });

    it.each(['posts', 'comments'])('count the %s of the workspace by time', async (of) => {
      const { buckets } = await ask<{ buckets: { count: number }[] }>(
        `/analytics/timeseries?of=${of}&interval=month`,
      );
      expect(buckets.map(({ count }) => count)).toEqual([OWN_ROWS]);
    });

    it('count the keywords of the workspace', async () => {
      const { keywords } = await ask<{ keywords: { keyword: string; count: number }[] }>(
        '/analytics/keywords',
      );
      expect(keywords).toMatchObject([{ keyword: 'battery', count: OWN_ROWS }]);
    });
  };

  describe('by statements', () => {
    searches();

    it.each(['posts', 'posts?q=battery&sort_by=relevance', 'comments', 'comments?q=battery'])(
      'download the rows of the workspace: %s',
      async (path) => {
        const format = path.includes('?') ? '&format=json' : '?format=json';
        expect(await ask(`/exports/${path}${format}`)).toHaveLength(OWN_ROWS);
      },
    );

    it('scan the posts of the workspace for the preview of an alert', async () => {
      const draft = { keywords: ['batteries'], forums: ['Cells'] };
      const preview = await call(service, own, 'POST', '/alerts/preview', draft);
      expect(removed).toBeGreaterThan(0);
      expect(preview).toMatchObject({ posts_scanned: OWN_ROWS });
    });

    it.each(['posts', 'comments'])('write the %s of the workspace in an export', async (of) => {
      const body = { of, format: 'ndjson', filters: { q: 'battery' } };
      const { id } = await call<{ id: string }>(service, own, 'POST', '/exports', body);
      const written = await until(
        () => call<{ status: string; rows: number }>(service, own, 'GET', `/exports/${id}`),
        ({ status }) => status === 'completed',
      );
      expect(removed).toBeGreaterThan(0);
      expect(written.rows).toBe(OWN_ROWS);
    });
  });

  describe('by segments', () => {
    const unlimited = { leastRows: 0, mostChanged: 0 };

    beforeAll(async () => {
      const transactions = new TransactionRunner(service.app.get(DataSource));
      const builder = new SegmentBuilder([POST_SEARCH, COMMENT_SEARCH], transactions, 1);
      for (const { workspaceId } of [own, other])
        for (const kind of ['posts', 'comments'] as const) await builder.build({ workspaceId, kind });
      const blocks = new BlockCache();
      const states = [POST_SEARCH, COMMENT_SEARCH].map((table) => {
        const index = new SegmentIndex(table, blocks, unlimited);
        return [table, { index, counts: new VersionedCountCache() }] as const;
      });
      Object.assign(service.get(SearchService), { tables: new Map(states) });
    });

    searches();

    it('which answer', async () => {
      const open = jest.spyOn(SegmentIndex.prototype, 'open');
      await ask('/analytics/facets?of=posts&by=forum');
      expect(await open.mock.results[0]!.value).not.toBeNull();
    });
  });
});
