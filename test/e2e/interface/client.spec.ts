import {
  createScrapingClient,
  dataOf,
  eachPost,
  ProblemError,
  type ScrapingClient,
} from '../../../clients/typescript/src/client.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';

describe('the typed client, used as an integrator would', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ScrapingClient;
  let path: { workspace_id: string };

  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
    client = createScrapingClient({ baseUrl: service.url, apiKey: workspace.apiKey });
    path = { workspace_id: workspace.workspaceId };
  });
  afterAll(() => service.close());

  it('starts a job, once, and cancels it', async () => {
    const start = () =>
      dataOf(
        client.POST('/api/v1/workspaces/{workspace_id}/jobs', {
          params: { path, header: { 'Idempotency-Key': 'one' } },
          body: { target: 'technology', limit: 10 },
        }),
      );
    const job = await start();
    expect((await start()).id).toBe(job.id);
    const { jobs } = await dataOf(
      client.GET('/api/v1/workspaces/{workspace_id}/jobs', {
        params: { path, query: { status: 'pending' } },
      }),
    );
    expect(jobs.map(({ id }) => id)).toEqual([job.id]);
    const cancelled = await dataOf(
      client.DELETE('/api/v1/workspaces/{workspace_id}/jobs/{job_id}', {
        params: { path: { ...path, job_id: job.id } },
      }),
    );
    expect(cancelled.message).toBe('Job cancelled');
  });

  it('walks through all posts', async () => {
    await storePosts(
      service,
      workspace.workspaceId,
      Array.from({ length: 450 }, (_, n) => aPost(n)),
    );
    const scores: number[] = [];
    for await (const { score } of eachPost(client, workspace.workspaceId, { sort_by: 'score', limit: 200 }))
      scores.push(score);
    expect(scores).toHaveLength(450);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('turns a refusal into an exception with its code', async () => {
    const asked = dataOf(
      client.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}', {
        params: { path: { ...path, post_id: 't3_none' } },
      }),
    );
    await expect(asked).rejects.toBeInstanceOf(ProblemError);
    await expect(asked).rejects.toMatchObject({
      problem: { code: 'not_found', status: 404 },
      retryAfterSeconds: null,
    });
  });

  it('downloads an export as a stream', async () => {
    const { response } = await client.GET('/api/v1/workspaces/{workspace_id}/exports/posts', {
      params: { path, query: { format: 'csv' } },
      parseAs: 'stream',
    });
    expect((await response.text()).split('\r\n')).toHaveLength(450 + 2);
  });
});
