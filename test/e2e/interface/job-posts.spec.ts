import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { WorkListRepository } from '../../../src/modules/scraping/work-list.repository.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { Contract, ContractClient } from '../../support/contract.js';

interface Page {
  posts: { id: string }[];
  total: number;
  cursor: string;
  has_more: boolean;
}

describe('the posts of a job', () => {
  const stored = [5, 1, 8, 3, 6];
  const jobId = randomUUID();
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;
  let dataSource: DataSource;

  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
    client = new ContractClient(service, new Contract(service), workspace.apiKey);
    dataSource = service.app.get(DataSource);
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: 10 }, (_, n) => aPost(n, { score: n, forum: n < 5 ? 'chess' : 'music' })),
    );
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments, status)
       VALUES ($1, $2, 'chess', 'forum', 'full', 100, false, false, 'running')`,
      [workspace.workspaceId, jobId],
    );
    await dataSource.query(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
       SELECT $1, $2, id, position, true FROM unnest($3::text[]) WITH ORDINALITY AS post (id, position)`,
      [workspace.workspaceId, jobId, stored.map((n) => aPost(n).id)],
    );
  });
  afterAll(() => service.close());

  const page = async (query: Record<string, string | number>): Promise<Page> =>
    (await client.get<Page>(workspace.path(`/jobs/${jobId}/posts`), { query })).body;
  const ids = (numbers: number[]) => numbers.map((n) => aPost(n).id);

  async function expectPosts(): Promise<void> {
    const all = await page({ sort_by: 'score' });
    expect(all.posts.map(({ id }) => id)).toEqual(ids([8, 6, 5, 3, 1]));
    expect(all.total).toBe(5);
    expect(await page({ forum: 'CHESS', sort_by: 'score', sort_order: 'asc' })).toMatchObject({
      posts: ids([1, 3]).map((id) => ({ id })),
      total: 2,
    });
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const next = await page({ sort_by: 'score', limit: 2, ...(cursor !== '' && { cursor }) });
      seen.push(...next.posts.map(({ id }) => id));
      expect(next).toMatchObject({ total: 5, has_more: pages < 2 });
      cursor = next.cursor;
    }
    expect(seen).toEqual(ids([8, 6, 5, 3, 1]));
  }

  it('are listed while it runs and after it has ended, filtered and paged as all posts are', async () => {
    await expectPosts();
    const { cursor } = await page({ sort_by: 'score', limit: 2 });
    await dataSource.transaction((tx) => workList().complete(workspace.workspaceId, jobId, tx));
    await expectPosts();
    const next = await page({ sort_by: 'score', limit: 2, cursor });
    expect(next.posts.map(({ id }) => id)).toEqual(ids([5, 3]));
  });

  it('are kept by id when their list is emptied, and removed with the job', async () => {
    const kept = () =>
      dataSource.query<{ post_ids: string[] }[]>('SELECT post_ids FROM job_stored_posts WHERE job_id = $1', [
        jobId,
      ]);
    expect(await kept()).toEqual([{ post_ids: ids(stored) }]);
    await dataSource.transaction((tx) => workList().complete(workspace.workspaceId, jobId, tx));
    expect(await kept()).toEqual([{ post_ids: ids(stored) }]);
    await dataSource.transaction((tx) =>
      workList().removeAll([{ workspaceId: workspace.workspaceId, id: jobId }], tx),
    );
    expect(await kept()).toEqual([]);
  });

  it('refuse a cursor of the list of all posts', async () => {
    const all = await client.get<Page>(workspace.path('/posts'), { query: { limit: 2 } });
    const answer = await client.get<{ code: string }>(workspace.path(`/jobs/${jobId}/posts`), {
      query: { cursor: all.body.cursor },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
  });

  const workList = (): WorkListRepository => service.app.get(WorkListRepository, { strict: false });
});

describe('a record by its id', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
  });
  afterAll(() => service.close());

  it.each([
    ['/schedules', { target: 'chess', cron_expression: '@daily' }],
    ['/webhooks', { url: 'https://8.8.8.8/hook', secret: 'a long enough secret' }],
    ['/api-keys', { name: 'Reader', scopes: ['read'] }],
    [
      '/alerts',
      {
        name: 'Words',
        keywords: ['word'],
        channel: 'chat_a',
        channel_config: { webhook_url: 'https://8.8.8.8/hidden' },
      },
    ],
  ])('in %s is the one of its list, for readers too', async (path, body) => {
    const contract = new Contract(service);
    const admin = new ContractClient(service, contract, workspace.apiKey);
    const { key } = (
      await admin.post<{ key: string }>(workspace.path('/api-keys'), { name: 'R', scopes: ['read'] })
    ).body;
    await admin.post(workspace.path(path), body);
    for (const client of [admin, new ContractClient(service, contract, key)]) {
      const list = (await client.get<{ id: string }[]>(workspace.path(path))).body;
      const record = list.at(-1)!;
      const { status, body: found } = await client.get(workspace.path(`${path}/${record.id}`));
      expect([status, found]).toEqual([200, record]);
    }
    expect((await admin.get(workspace.path(`${path}/${randomUUID()}`))).status).toBe(404);
  });
});
