import { DataSource } from 'typeorm';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { type ContractClient, startWithClient } from '../support/contract.js';
import { type JobRecord, runJob } from '../support/jobs.js';
import { HttpReceiver } from '../support/receivers.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { until } from '../support/until.js';

const FORUMS = { small: { posts: 20, commentsPerPost: 2 }, slow: { posts: 1_000, commentsPerPost: 0 } };
const POSTS_ONLY = { scrape_comments: false, download_media: false };

describe('the metrics', () => {
  let sandbox: Sandbox;
  let receiver: HttpReceiver;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let dataSource: DataSource;

  beforeAll(async () => {
    sandbox = await openSandbox({ forums: FORUMS, latencyMs: 50 });
    receiver = await HttpReceiver.start(({ path }) => ({ status: path === '/down' ? 503 : 200 }));
    service = await startTestApplication({
      ...scrapingFrom(sandbox.baseUrl),
      ROLES: 'api,worker,scheduler',
      PLATFORM_MEDIA_ORIGINS: sandbox.baseUrl,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '10ms,10ms,10ms,10ms,5h',
      QUOTA_WEBHOOKS: '2',
      SEARCH_INDEX_MB: '32',
    });
    dataSource = service.app.get(DataSource);
    workspace = await service.createWorkspace();
  });

  const create = <T>(path: string, body?: object): Promise<T> =>
    call<T>(service, workspace, 'POST', path, body);

  /** The value of each series, by its name with labels. */
  async function metrics(of: TestApplication = service): Promise<Map<string, number>> {
    const text = await (await fetch(`${of.url}/metrics`)).text();
    return new Map(
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  }

  const valueOf = async (series: string): Promise<number> => (await metrics()).get(`wss_${series}`) ?? -1;
  /** The value of a series once it is at least `least`. */
  const reached = (series: string, least = 1): Promise<number> =>
    until(
      () => valueOf(series),
      (value) => value >= least,
    );

  it('count jobs by status and error code, with requests, batches and rows', async () => {
    const pictures = await runJob(service, workspace, { target: 'pictures', limit: 10 });
    const small = await runJob(service, workspace, { target: 'small', limit: 20 });
    await runJob(service, workspace, { target: 'no_such_forum_here' });
    const seen = await metrics();
    expect(seen.get('wss_jobs_total{status="completed",error_code=""}')).toBe(2);
    expect(seen.get('wss_jobs_total{status="failed",error_code="target_not_found"}')).toBe(1);
    expect(seen.get('wss_job_duration_seconds_count')).toBe(3);
    expect(seen.get('wss_platform_requests_total{source="reddit",status="200"}')).toBeGreaterThan(3);
    expect(seen.get('wss_platform_requests_total{source="reddit",status="404"}')).toBeGreaterThan(0);
    expect(seen.get('wss_platform_budget_remaining{source="reddit"}')).toBeLessThan(1_000_000);
    expect(seen.get('wss_platform_budget_remaining{source="hackernews"}')).toBe(1_500);
    expect(seen.get('wss_platform_budget_wait_seconds_count')).toBeGreaterThan(3);
    expect(seen.get('wss_batch_write_duration_seconds_count')).toBeGreaterThan(2);
    expect(seen.get('wss_rows_written_total{table="posts"}')).toBe(30);
    expect(seen.get('wss_rows_written_total{table="comments"}')).toBeGreaterThan(0);
    const files = pictures.media_downloaded + small.media_downloaded;
    expect(files).toBeGreaterThan(0);
    expect(seen.get('wss_rows_written_total{table="media_files"}')).toBe(files);
  });

  it('show executions, cancelled jobs and lost leases', async () => {
    const first = await create<JobRecord>('/jobs', { ...POSTS_ONLY, target: 'slow', limit: 1_000 });
    await reached('executions_running');
    await call(service, workspace, 'DELETE', `/jobs/${first.id}`);
    expect(await reached('jobs_total{status="cancelled",error_code=""}')).toBe(1);
    const lost = async () => (await metrics()).get('wss_leases_lost_total');
    await until(
      () => valueOf('executions_running'),
      (running) => running === 0,
    );
    expect(await lost()).toBe(0);
    await create('/jobs', { ...POSTS_ONLY, target: 'slow', limit: 1_000 });
    await reached('executions_running');
    await dataSource.query(
      `UPDATE job_executions SET lease_owner = 'another worker', lease_until = now() + interval '1 hour'`,
    );
    expect(await reached('leases_lost_total')).toBe(1);
  });

  it('show deliveries by kind and outcome, the backlog and open circuits', async () => {
    const up = await create<{ id: string }>('/webhooks', { url: `${receiver.url}/up` });
    const down = await create<{ id: string }>('/webhooks', { url: `${receiver.url}/down` });
    await create(`/webhooks/${up.id}/test`);
    await create(`/webhooks/${down.id}/test`);
    expect(await reached('deliveries_total{kind="webhook",outcome="delivered"}')).toBe(1);
    expect(await reached('deliveries_total{kind="webhook",outcome="retried"}', 5)).toBe(5);
    expect(await reached('destinations_circuit_open')).toBe(1);
    expect(await reached('deliveries_pending')).toBe(1);
    expect(await reached('deliveries_oldest_pending_seconds', 0.001)).toBeLessThan(60);
    const refused = await fetch(service.url + workspace.path('/webhooks'), {
      method: 'POST',
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: receiver.url }),
    });
    expect(refused.status).toBe(403);
    expect(await reached('quota_refusals_total{quota="webhooks"}')).toBe(1);
  });

  it('show the memory of the search index and its limit', async () => {
    await call(service, workspace, 'GET', '/posts?q=the');
    const seen = await metrics();
    expect(seen.get('wss_search_index_limit_bytes')).toBe(32 * 1_048_576);
    expect(seen.get('wss_search_index_bytes')).toBeLessThan(32 * 1_048_576);
  });

  it('show events that wait for the relay, and how long', async () => {
    await dataSource.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, created_at, relay_not_before, relay_failures)
       VALUES ($1, gen_random_uuid(), 'job.completed', 'waiting', 'job', gen_random_uuid(), '{}',
         now() - interval '1 minute', now() + interval '1 hour', 1)`,
      [workspace.workspaceId],
    );
    expect(await reached('outbox_pending')).toBe(1);
    expect(await reached('outbox_lag_seconds', 60)).toBeLessThan(120);
  });

  it('count occurrences of schedules by outcome, and show how late they are', async () => {
    const { id } = await create<{ id: string }>('/schedules', {
      target: 'small',
      mode: 'monitor',
      cron_expression: '0 0 1 1 *',
    });
    expect((await metrics()).get('wss_schedule_lag_seconds')).toBe(0);
    await dataSource.query(`UPDATE schedules SET next_run_at = now() - interval '1 hour' WHERE id = $1`, [
      id.replace('sched_', ''),
    ]);
    expect(await reached('schedule_occurrences_total{outcome="job"}')).toBe(1);
  });

  it('show waiting jobs, and late schedules where no scheduler runs', async () => {
    const waiting = await startTestApplication({ ROLES: 'api' });
    const active = await waiting.createWorkspace();
    const suspended = await waiting.createWorkspace();
    await call(waiting, active, 'POST', '/jobs', { target: 'small' });
    await call(waiting, suspended, 'POST', '/jobs', { target: 'small' });
    await waiting.app
      .get(DataSource)
      .query(`UPDATE workspaces SET status = 'suspended' WHERE id = $1`, [suspended.workspaceId]);
    const seen = await until(
      () => metrics(waiting),
      (series) => series.get('wss_jobs_waiting') === 1,
    );
    expect(seen.get('wss_jobs_oldest_waiting_seconds')).toBeGreaterThan(0);
  });

  it('count requests, pool use and exports, and name no workspace, job or target', async () => {
    const exported = await create<{ id: string }>('/exports', { of: 'posts', format: 'csv' });
    expect(await reached('exports_total{status="completed"}')).toBe(1);
    await call(service, workspace, 'GET', `/exports/${exported.id}`);
    const seen = await metrics();
    expect(
      seen.get(
        'wss_http_request_duration_seconds_count{method="POST",route="/api/v1/workspaces/:workspace_id/exports",status="201"}',
      ),
    ).toBe(1);
    for (const pool of ['control', 'search', 'export']) {
      expect(seen.get(`wss_db_pool_in_use{pool="${pool}"}`)).toBeGreaterThanOrEqual(0);
    }
    expect(seen.get('wss_db_pool_wait_seconds_count{pool="control"}')).toBeGreaterThan(0);
    for (const series of seen.keys())
      expect(series).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|small|slow|pictures/);
  });
});

describe('GET /metrics', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    ({ service, workspace, client } = await startWithClient());
  });

  it('counts requests by route template and status, never by path', async () => {
    await client.get(workspace.path('/jobs/00000000-0000-4000-8000-000000000000'));
    await client.get(workspace.path('/nonsense'));
    const { text } = await client.get('/metrics', { key: null });
    expect(text).toContain(
      'wss_http_request_duration_seconds_count{method="GET",route="/api/v1/workspaces/:workspace_id/jobs/:job_id",status="404"} 1',
    );
    expect(text).toContain(
      'wss_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    );
    expect(text).not.toContain(workspace.workspaceId);
  });

  it('does not measure event streams', async () => {
    const { body } = await client.post<{ id: string }>(workspace.path('/jobs'), { target: 'technology' });
    const path = workspace.path(`/jobs/${body.id}/events`);
    const ending = new AbortController();
    await fetch(service.url + path, { headers: { 'X-API-Key': workspace.apiKey }, signal: ending.signal });
    ending.abort();
    for (let open = 1; open > 0;) {
      const usage = await client.get<{ quotas: { event_streams: { used: number } } }>(
        workspace.path('/usage'),
      );
      open = usage.body.quotas.event_streams.used;
    }
    const { text } = await client.get('/metrics', { key: null });
    expect(text).not.toContain('/events"');
    expect(text).toContain('/usage"');
  });

  it('shows queues and the process', async () => {
    await client.post(workspace.path('/jobs'), { target: 'technology' });
    const { text } = await client.get('/metrics', { key: null });
    expect(text).toContain('wss_queue_entries{queue="scrape",state="waiting"} 2');
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    // Metrics of the process and of Node.js have the names that existing dashboards expect.
    expect(text.match(/^(?!#|wss_|process_|nodejs_).+$/gm)).toBeNull();
  });
});
