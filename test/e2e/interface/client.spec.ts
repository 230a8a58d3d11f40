import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  ApiError,
  dataOf,
  type ExportQuery,
  type Job,
  ScrapingClient,
} from '../../../clients/typescript/src/client.js';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.js';
import { aComment, storeComments } from '../../factories/comments.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { HttpReceiver, sendJson } from '../../support/receivers.js';
import { openSandbox, scrapingFrom } from '../../support/sandbox.js';

const clientOf = (service: Pick<TestApplication, 'url'>, workspace: TestWorkspace): ScrapingClient =>
  new ScrapingClient({
    baseUrl: service.url,
    apiKey: workspace.apiKey,
    workspaceId: workspace.workspaceId,
  });

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the typed client against the service', () => {
  let sandbox: Sandbox;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ScrapingClient;

  beforeAll(async () => {
    sandbox = await openSandbox({});
    service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
    workspace = await service.createWorkspace();
    client = clientOf(service, workspace);
  });

  it('starts a job once for an idempotency key, follows it and waits for its end', async () => {
    const job = await client.startJob({ target: 'technology', limit: 20, download_media: false }, 'one');
    expect(
      (await client.startJob({ target: 'technology', limit: 20, download_media: false }, 'one')).id,
    ).toBe(job.id);
    const seen = await collect(client.followJob(job.id));
    expect(seen.at(-1)).toMatchObject({ id: job.id, status: 'completed', posts_scraped: 20 });
    expect(await client.waitForJob(job.id)).toEqual(seen.at(-1));
    const comments = await collect(client.eachComment());
    expect(comments).toHaveLength(seen.at(-1)!.comments_scraped);
    expect(new Set(comments.map(({ comment_id }) => comment_id)).size).toBe(comments.length);
  });

  it('calls every operation by its resource, with one object for path, query and body', async () => {
    const { alerts, webhooks, posts } = clientOf(service, await service.createWorkspace());
    const created = await alerts.create({ name: 'Acme', keywords: ['acme'], view: 'full' });
    expect(created).toMatchObject({ name: 'Acme', keywords: ['acme'], of: 'posts' });
    const { id: alert_id } = created;
    expect(await alerts.update({ alert_id, is_active: false })).toMatchObject({ is_active: false });
    expect(await alerts.get({ alert_id })).toMatchObject({ id: alert_id, is_active: false });
    expect((await alerts.list()).map(({ id }) => id)).toEqual([alert_id]);
    expect(await posts.list({ q: 'acme', limit: 1 })).toMatchObject({ posts: [], total: 0 });
    expect(await alerts.delete({ alert_id })).toHaveProperty('message');
    await expect(alerts.get({ alert_id })).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(webhooks.create({ url: 'ftp://example.com' })).rejects.toBeInstanceOf(ApiError);
  });

  it('pages through all posts and exports them', async () => {
    const own = await service.createWorkspace();
    await storePosts(
      service,
      own.workspaceId,
      Array.from({ length: 450 }, (_, n) => aPost(n)),
    );
    const scores = (await collect(clientOf(service, own).eachPost({ sort_by: 'score' }))).map(
      ({ score }) => score,
    );
    expect(scores).toHaveLength(450);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));

    const file = new PassThrough();
    const content = text(file);
    const bytes = await clientOf(service, own).exportTo(file, { format: 'csv' });
    file.end();
    expect(Buffer.byteLength(await content)).toBe(bytes);
    expect((await content).split('\r\n')).toHaveLength(450 + 2);
  });

  it('exports more rows than a download has, and throws where it cannot', async () => {
    const own = await service.createWorkspace();
    const ROWS = 10_050;
    for (let from = 0; from < ROWS; from += 2_010) {
      const numbers = Array.from({ length: 2_010 }, (_, n) => from + n);
      await storePosts(
        service,
        own.workspaceId,
        numbers.map((n) => aPost(n)),
      );
      await storeComments(
        service,
        own.workspaceId,
        numbers.map((n) => aComment(n)),
      );
    }
    const exported = async (workspace: TestWorkspace, query: ExportQuery): Promise<string> => {
      const file = new PassThrough();
      const content = text(file);
      await clientOf(service, workspace)
        .exportTo(file, query)
        .finally(() => file.end());
      return content;
    };
    const lines = async (query: ExportQuery) => (await exported(own, query)).trimEnd().split('\n').length;
    expect(await lines({ format: 'csv' })).toBe(1 + ROWS);
    expect(await lines({ of: 'comments', format: 'ndjson' })).toBe(ROWS);
    expect(await lines({ format: 'ndjson', sort_by: 'score', author: 'author1' })).toBe(
      Math.ceil((ROWS - 1) / 7),
    );

    const { key } = await dataOf(
      clientOf(service, own).api.POST('/api/v1/workspaces/{workspace_id}/api-keys', {
        params: { path: { workspace_id: own.workspaceId } },
        body: { name: 'Reader', scopes: ['read'] },
      }),
    );
    const reader = { ...own, apiKey: key };
    await expect(exported(reader, { format: 'csv' })).rejects.toThrow('10050 rows');
    expect(await exported(reader, { format: 'ndjson', author: 'author1' })).not.toBe('');
  });

  it.each([
    ['was closed before', (file: PassThrough) => file.destroy()],
    ['closes meanwhile', (file: PassThrough) => void setTimeout(() => file.destroy(), 50)],
  ])('does not treat an export as complete whose stream %s', async (_case, close) => {
    const own = await service.createWorkspace();
    await storePosts(
      service,
      own.workspaceId,
      Array.from({ length: 450 }, (_, n) => aPost(n)),
    );
    // Nothing reads the stream, so a write waits in it.
    const file = new PassThrough({ highWaterMark: 1 });
    close(file);
    await expect(clientOf(service, own).exportTo(file, { format: 'csv' })).rejects.toThrow(
      /closed|destroyed/,
    );
  });

  it('turns a refusal into an exception with its code', async () => {
    const refused = dataOf(
      client.api.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}', {
        params: { path: { ...client.path, post_id: 't3_none' } },
      }),
    );
    await expect(refused).rejects.toBeInstanceOf(ApiError);
    await expect(refused).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      problem: { code: 'not_found', status: 404 },
      retryAfterSeconds: null,
    });
    await expect(collect(client.followJob('00000000-0000-4000-8000-000000000000'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('the typed client against a failing server', () => {
  let server: HttpReceiver | undefined;
  afterEach(() => server?.close());

  const clientOfServer = (attempts = 4): ScrapingClient =>
    new ScrapingClient({
      baseUrl: server!.url,
      apiKey: 'rp_x',
      workspaceId: 'w',
      retry: { attempts, maxWaitMs: 5 },
    });
  const job = (status: Job['status'], posts: number) => ({ id: 'job_1', status, posts_scraped: posts });

  it.each([429, 502, 503, 504])('repeats a reading request after %i', async (status) => {
    server = await HttpReceiver.serve((_request, response, nth) =>
      nth < 3
        ? sendJson(response, status, {}, { 'retry-after': '1' })
        : sendJson(response, 200, job('completed', 1)),
    );
    expect(await clientOfServer().getJob('job_1')).toMatchObject({ status: 'completed' });
    expect(server.all).toHaveLength(3);
  });

  it('waits for the time given in Retry-After before it repeats a request', async () => {
    const order: string[] = [];
    server = await HttpReceiver.serve((_request, response, nth) => {
      order.push('a request');
      if (nth > 1) return sendJson(response, 200, job('completed', 1));
      setTimeout(() => order.push('a second'), 1_000);
      sendJson(response, 429, {}, { 'retry-after': '1' });
    });
    const { url } = server;
    await new ScrapingClient({ baseUrl: url, apiKey: 'rp_x', workspaceId: 'w' }).getJob('job_1');
    expect(order).toEqual(['a request', 'a second', 'a request']);
  });

  it('repeats the start of a job with the same idempotency key', async () => {
    server = await HttpReceiver.serve((_request, response, nth) =>
      nth === 1 ? response.destroy() : sendJson(response, 201, job('pending', 0)),
    );
    await clientOfServer().startJob({ target: 'technology' });
    const keys = server.all.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it.each([502, 503])('does not repeat a change after %i, because it may have been made', async (status) => {
    server = await HttpReceiver.serve((_request, response) => sendJson(response, status, {}));
    const { response } = await clientOfServer().api.POST('/api/v1/workspaces/{workspace_id}/alerts', {
      params: { path: { workspace_id: 'w' } },
      body: { name: 'a', keywords: ['b'] },
    });
    expect(response.status).toBe(status);
    expect(server.all).toHaveLength(1);
  });

  it('gives up after the last attempt, quoting the response of a proxy', async () => {
    server = await HttpReceiver.serve((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<html><h1>Bad Gateway</h1></html>');
    });
    await expect(clientOfServer(2).getJob('job_1')).rejects.toMatchObject({
      status: 502,
      code: 'http_502',
      problem: null,
      message: 'HTTP 502 Bad Gateway: <html><h1>Bad Gateway</h1></html>',
    });
    expect(server.all).toHaveLength(2);
  });

  it('reports a page that is not JSON although its status is 200', async () => {
    server = await HttpReceiver.serve((_request, response) => response.end('<html>'));
    await expect(clientOfServer().getJob('job_1')).rejects.toMatchObject({ code: 'not_json' });
  });

  it('reopens an interrupted event stream without repeating a record', async () => {
    const event = (type: string, data: unknown) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    server = await HttpReceiver.serve((_request, response, nth) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event('progress', job('running', 1)));
      if (nth === 1) setImmediate(() => response.destroy());
      else response.end(event('heartbeat', {}) + event('end', job('completed', 2)));
    });
    const seen = await collect(clientOfServer().followJob('job_1'));
    expect(seen.map(({ posts_scraped }) => posts_scraped)).toEqual([1, 2]);
    expect(server.all).toHaveLength(2);
  });

  it('continues to follow a job after the service was unavailable for long', async () => {
    server = await HttpReceiver.serve((_request, response, nth) => {
      if (nth <= 2) return sendJson(response, nth === 1 ? 503 : 502, {});
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: end\ndata: ${JSON.stringify(job('completed', 2))}\n\n`);
    });
    expect(await clientOfServer(1).waitForJob('job_1')).toMatchObject({ status: 'completed' });
    expect(server.all).toHaveLength(3);
  });

  it('ends the wait for a job at its time limit', async () => {
    server = await HttpReceiver.serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': waiting\n\n');
    });
    await expect(clientOfServer().waitForJob('job_1', { timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});
