import { DataSource } from 'typeorm';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { type BreakableApplication, startBreakableApplication } from '../../support/breakable-application.js';
import { ContractClient } from '../../support/contract.js';
import { type JobRecord, runJob, waitForEnd } from '../../support/jobs.js';
import { HttpReceiver } from '../../support/receivers.js';
import { openSandbox, scrapingFrom } from '../../support/sandbox.js';
import type { OverviewDto, RetriedDestinationDto } from '../../../src/operate/admin/dto/overview.dto.js';
import { until } from '../../support/until.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const POSTS_ONLY = { scrape_comments: false, download_media: false };
const FORUMS = { slow: { posts: 1_000, commentsPerPost: 0 }, quick: { posts: 5, commentsPerPost: 0 } };

type Problem = { code: string };

describe('the operator', () => {
  let sandbox: Sandbox;
  let receiver: HttpReceiver;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;
  let status: number;
  const headers = { Authorization: `Bearer ${TOKEN}` };

  beforeAll(async () => {
    sandbox = await openSandbox({ forums: FORUMS, latencyMs: 300 });
    receiver = await HttpReceiver.start(() => ({ status }));
    service = await startTestApplication({
      ...scrapingFrom(sandbox.baseUrl),
      ADMIN_TOKEN: TOKEN,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '10ms,10ms,10ms,10ms,5h',
    });
    client = new ContractClient(service);
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    status = 200;
  });

  const overview = async (): Promise<OverviewDto> =>
    (await client.get<OverviewDto>('/api/v1/admin/overview', { headers })).body;
  const retryJob = (id: string) =>
    client.post<JobRecord & Problem>(`/api/v1/admin/jobs/${id}/retry`, undefined, { headers });
  const retryDestination = (id: string) =>
    client.post<RetriedDestinationDto & Problem>(`/api/v1/admin/destinations/${id}/retry`, undefined, {
      headers,
    });
  const create = async <T>(path: string, body?: object): Promise<T> =>
    (await client.post<T>(workspace.path(path), body, { key: workspace.apiKey })).body;

  it('is never stored by a browser or a proxy', async () => {
    const answer = await fetch(`${service.url}/api/v1/admin/overview`, { headers });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  });

  it('sees executions with their leases, workers, budgets, servers and versions', async () => {
    const job = await create<JobRecord>('/jobs', { ...POSTS_ONLY, target: 'slow', limit: 1_000 });
    const seen = await until(overview, ({ executions, request_budget }) =>
      Boolean(executions?.length && request_budget?.some(({ used }) => used > 0)),
    );
    expect(seen.executions).toEqual([
      {
        job_id: job.id,
        workspace_id: `ws_${workspace.workspaceId}`,
        target: 'slow',
        mode: 'full',
        started_at: expect.any(String) as string,
        worker: expect.stringMatching(new RegExp(`^.+:${process.pid}$`)) as string,
        attempts: expect.any(Number) as number,
        lease_age_seconds: expect.any(Number) as number,
        lease_expired: false,
      },
    ]);
    expect(seen.executions![0]!.lease_age_seconds).toBeGreaterThanOrEqual(0);
    expect(seen.executions![0]!.lease_age_seconds).toBeLessThan(10);
    expect(seen.workers).toMatchObject([{ worker: seen.executions![0]!.worker, alive: true }]);
    const reddit = seen.request_budget!.find(({ source }) => source === 'reddit')!;
    expect(reddit).toMatchObject({ limit: 1_000_000, window_seconds: 60 });
    expect(reddit.remaining).toBeLessThan(reddit.limit);
    expect(seen.queues!.map(({ queue }) => queue)).toEqual(['jobs', 'exports', 'schedules', 'deliveries']);
    expect(seen.database).toMatchObject({ status: 'ok', latency_ms: expect.any(Number) as number });
    expect(seen.database.pools.map(({ pool }) => pool)).toContain('control');
    expect(seen.redis).toMatchObject({ status: 'ok', latency_ms: expect.any(Number) as number });
    expect(seen.versions).toMatchObject({ node: process.version });
    expect(seen.versions.postgres).toMatch(/^\d+\.\d+/);
    expect(seen.versions.redis).toMatch(/^\d+\.\d+\.\d+$/);
    const running = await retryJob(job.id);
    expect([running.status, running.body.code]).toEqual([409, 'job_not_retryable']);
    await client.delete(workspace.path(`/jobs/${job.id}`), { key: workspace.apiKey });
    await until(overview, ({ executions }) => executions!.length === 0);
  });

  it('restarts an ended job under its id, with its counters and its event', async () => {
    await create('/webhooks', { url: `${receiver.url}/ended`, events: ['job.completed', 'job.failed'] });
    // The last two hours, because the hour may change after a job has ended.
    const ended = ({ ended_jobs }: OverviewDto): number =>
      ended_jobs!.slice(-2).reduce((sum, { failed, posts }) => sum + failed + posts, 0);
    // Jobs of other tests that were cancelled may have stored posts.
    const before = ended(await overview());
    const job = await runJob(service, workspace, { ...POSTS_ONLY, target: 'quick' });
    const dataSource = service.app.get(DataSource);
    const bare = job.id.slice(4);
    await dataSource.query(
      `UPDATE jobs SET status = 'failed', error_code = 'unavailable', error_message = 'away' WHERE id = $1`,
      [bare],
    );
    const seen = await overview();
    const { failed_jobs, ended_jobs } = seen;
    expect(failed_jobs![0]).toEqual({
      job_id: job.id,
      workspace_id: `ws_${workspace.workspaceId}`,
      target: 'quick',
      mode: 'full',
      failed_at: expect.any(String) as string,
      error_code: 'unavailable',
      error_message: 'away',
    });
    expect(ended_jobs).toHaveLength(24);
    expect(ended(seen) - before).toBe(1 + 5);
    const retried = await retryJob(job.id);
    expect(retried.status).toBe(200);
    expect(retried.body).toMatchObject({
      id: job.id,
      status: 'pending',
      posts_scraped: 0,
      error_message: null,
      started_at: null,
      completed_at: null,
      progress: {},
    });
    const again = await waitForEnd(service, workspace, job.id);
    expect(again).toMatchObject({ status: 'completed', posts_scraped: 5, error_message: null });
    const posts = await client.get<{ posts: unknown[] }>(workspace.path(`/jobs/${job.id}/posts`), {
      key: workspace.apiKey,
    });
    expect(posts.body.posts).toHaveLength(5);
    const events = await receiver.received(2);
    const bodies = events.map(({ body }) => JSON.parse(body) as { id: string; data: { id: string } });
    expect(bodies.map(({ data }) => data.id)).toEqual([job.id, job.id]);
    expect(bodies[0]!.id).not.toBe(bodies[1]!.id);
    expect((await retryJob(UNKNOWN_ID)).status).toBe(404);
  });

  it('does not restart a cancelled job before its execution has stopped', async () => {
    const job = await create<JobRecord>('/jobs', { ...POSTS_ONLY, target: 'slow', limit: 1_000 });
    await until(overview, ({ executions }) => executions!.length > 0);
    await client.delete(workspace.path(`/jobs/${job.id}`), { key: workspace.apiKey });
    const first = await retryJob(job.id);
    expect([first.status, first.body.code]).toEqual([409, 'job_not_retryable']);
    const { body } = await until(
      () => retryJob(job.id),
      (answer) => answer.status === 200,
    );
    expect(body.status).toBe('pending');
    const ended = await waitForEnd(service, workspace, job.id);
    expect(ended).toMatchObject({ status: 'completed', posts_scraped: 1_000 });
  });

  it('sees open circuits, and closes one so that its deliveries are sent', async () => {
    status = 503;
    const webhook = await create<{ id: string }>('/webhooks', { url: `${receiver.url}/down` });
    await create(`/webhooks/${webhook.id}/test`);
    const seen = await until(overview, ({ destinations }) => destinations!.length > 0);
    expect(seen).toMatchObject({
      destinations_circuit_open: 1,
      destinations: [
        {
          id: webhook.id,
          name: new URL(receiver.url).host,
          workspace_id: `ws_${workspace.workspaceId}`,
          kind: 'webhook',
          failures: 5,
        },
      ],
    });
    expect(seen.queues).toContainEqual({
      queue: 'deliveries',
      waiting: 1,
      oldest_seconds: expect.any(Number) as number,
    });
    status = 200;
    const { all } = receiver;
    const before = all.length;
    const retried = await retryDestination(webhook.id);
    expect([retried.status, retried.body]).toEqual([
      200,
      { id: webhook.id, workspace_id: `ws_${workspace.workspaceId}`, kind: 'webhook', deliveries_due: 1 },
    ]);
    await receiver.received(before + 1);
    expect(await until(overview, ({ queues }) => queues![3]!.waiting === 0)).toMatchObject({
      destinations: [],
      destinations_circuit_open: 0,
    });
    for (const unknown of [UNKNOWN_ID, `alert_${UNKNOWN_ID}`])
      expect((await retryDestination(unknown)).status).toBe(404);
    expect((await retryDestination('job_1')).status).toBe(400);
  });
});

describe('the overview while a server is unavailable', () => {
  let service: BreakableApplication;
  let client: ContractClient;

  beforeAll(async () => {
    service = await startBreakableApplication({ ADMIN_TOKEN: TOKEN, API_RATE_LIMIT_PER_MINUTE: '600' });
    client = new ContractClient(service);
  });

  const overview = () =>
    client.get<OverviewDto>('/api/v1/admin/overview', { headers: { Authorization: `Bearer ${TOKEN}` } });

  it('says so, and shows the data of the other server', async () => {
    service.postgres.cut();
    const withoutPostgres = await overview();
    expect(withoutPostgres.status).toBe(200);
    expect(withoutPostgres.body).toMatchObject({
      queues: null,
      executions: null,
      workers: null,
      outbox: null,
      destinations: null,
      destinations_circuit_open: null,
      request_budget: expect.arrayContaining([
        expect.objectContaining({ source: 'reddit' }),
        expect.objectContaining({ source: 'hackernews' }),
      ]) as unknown,
      database: { status: 'unavailable', latency_ms: null },
      redis: { status: 'ok' },
      versions: { postgres: null },
    });
    service.postgres.restore();
    service.redis.cut();
    const withoutRedis = await overview();
    expect(withoutRedis.status).toBe(200);
    expect(withoutRedis.body).toMatchObject({
      request_budget: null,
      outbox: { pending: 0, lag_seconds: 0, set_aside: 0 },
      redis: { status: 'unavailable', latency_ms: null },
      versions: { redis: null },
    });
  });
});
