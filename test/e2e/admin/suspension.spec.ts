import { DataSource } from 'typeorm';
import { ExportJobsService } from '../../../src/takeout/exports/export-jobs.service.js';
import { DeliveriesService } from '../../../src/deliver/log/deliveries.service.js';
import { startTestApplication, type TestWorkspace } from '../../support/application.js';
import { call } from '../../support/client.js';
import { type JobRecord, runJob, waitForEnd } from '../../support/jobs.js';
import { HttpReceiver } from '../../support/receivers.js';
import { openSandbox, scrapingFrom } from '../../support/sandbox.js';
import { until } from '../../support/until.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const POSTS_ONLY = { scrape_comments: false, download_media: false };
const FORUMS = { slow: { posts: 1_000, commentsPerPost: 0 }, quick: { posts: 5, commentsPerPost: 0 } };

const sandbox = await openSandbox({ forums: FORUMS, latencyMs: 500 });
const receiver = await HttpReceiver.start();
const service = await startTestApplication({
  ...scrapingFrom(sandbox.baseUrl),
  ROLES: 'api,worker,scheduler',
  OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
  ADMIN_TOKEN: TOKEN,
});
const dataSource = service.app.get(DataSource);

describe('a suspended workspace', () => {
  let suspended: TestWorkspace;
  let active: TestWorkspace;

  beforeEach(async () => {
    suspended = await service.createWorkspace();
    active = await service.createWorkspace();
  });

  async function setStatus(status: 'active' | 'suspended'): Promise<void> {
    const answer = await fetch(`${service.url}/api/v1/admin/workspaces/${suspended.workspaceId}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status }),
    });
    expect(answer.status).toBe(200);
  }

  const postsOf = async (jobId: string): Promise<number> => {
    const [row] = await dataSource.query<{ posts: number }[]>(
      'SELECT posts_scraped AS posts FROM jobs WHERE id = $1',
      [jobId.slice(4)],
    );
    return row!.posts;
  };
  const heldExecutions = async (): Promise<number> => {
    const [row] = await dataSource.query<{ count: string }[]>(
      'SELECT count(*) FROM job_executions WHERE workspace_id = $1 AND lease_owner IS NOT NULL',
      [suspended.workspaceId],
    );
    return Number(row!.count);
  };

  it('stops its running job within seconds, and later continues it where it stopped', async () => {
    const job = await call<JobRecord>(service, suspended, 'POST', '/jobs', {
      ...POSTS_ONLY,
      target: 'slow',
      limit: 1_000,
    });
    await until(
      () => postsOf(job.id),
      (posts) => posts >= 100,
    );
    await setStatus('suspended');
    await until(heldExecutions, (held) => held === 0);
    const stored = await postsOf(job.id);
    expect(stored).toBeLessThan(1_000);
    const pending = await call<JobRecord>(service, active, 'POST', '/jobs', {
      ...POSTS_ONLY,
      target: 'quick',
    });
    // Another workspace's job starts later and completes meanwhile.
    expect((await waitForEnd(service, active, pending.id)).status).toBe('completed');
    expect([await postsOf(job.id), await heldExecutions()]).toEqual([stored, 0]);
    await setStatus('active');
    const ended = await waitForEnd(service, suspended, job.id);
    expect(ended).toMatchObject({ status: 'completed', posts_scraped: 1_000 });
    // A thousand posts take ten pages; at most the page that was being read is requested again.
    expect(ended.progress.requests).toBeLessThanOrEqual(12);
  });

  it('starts no waiting job until it is active', async () => {
    await setStatus('suspended');
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
       VALUES ($1, gen_random_uuid(), 'quick', 'forum', 'full', 5, false, false)`,
      [suspended.workspaceId],
    );
    expect((await runJob(service, active, { ...POSTS_ONLY, target: 'quick' })).status).toBe('completed');
    const statuses = () =>
      dataSource.query<{ status: string }[]>('SELECT status FROM jobs WHERE workspace_id = $1', [
        suspended.workspaceId,
      ]);
    expect(await statuses()).toEqual([{ status: 'pending' }]);
    await setStatus('active');
    await until(statuses, ([job]) => job!.status === 'completed');
  });

  it('fires no schedule until it is active, and then each once', async () => {
    const create = async (workspace: TestWorkspace) => {
      const body = { target: 'quick', mode: 'full', cron_expression: '0 5 1 1 *' };
      return (await call<{ id: string }>(service, workspace, 'POST', '/schedules', body)).id.slice(6);
    };
    const ids = [await create(suspended), await create(active)];
    const runs = (id: string) => async () => {
      const [row] = await dataSource.query<{ runCount: number }[]>(
        'SELECT run_count AS "runCount" FROM schedules WHERE id = $1',
        [id],
      );
      return row!.runCount;
    };
    await setStatus('suspended');
    await dataSource.query(
      `UPDATE schedules SET next_run_at = now() - interval '1 minute' WHERE id = ANY($1)`,
      [ids],
    );
    await until(runs(ids[1]!), (count) => count === 1);
    expect(await runs(ids[0]!)()).toBe(0);
    await setStatus('active');
    await until(runs(ids[0]!), (count) => count === 1);
  });

  it('begins no export until it is active', async () => {
    const exports = service.get(ExportJobsService);
    const request = (workspace: TestWorkspace) =>
      exports.create(workspace.workspaceId, { of: 'posts', format: 'csv' });
    const statusOf = async (workspace: TestWorkspace, { id }: { id: string }) =>
      (await exports.get(workspace.workspaceId, id.replace('export_', ''))).status;
    await setStatus('suspended');
    const [waiting, other] = [await request(suspended), await request(active)];
    await until(
      () => statusOf(active, other),
      (status) => status === 'completed',
    );
    expect(await statusOf(suspended, waiting)).toBe('pending');
    await setStatus('active');
    await until(
      () => statusOf(suspended, waiting),
      (status) => status === 'completed',
    );
  });

  it('sends no delivery until it is active, and then all of them', async () => {
    const deliveries = service.get(DeliveriesService);
    const subscribe = async (workspace: TestWorkspace, path: string) => {
      const body = { url: `${receiver.url}${path}` };
      return (await call<{ id: string }>(service, workspace, 'POST', '/webhooks', body)).id.slice(3);
    };
    const [first, second] = [await subscribe(suspended, '/suspended'), await subscribe(active, '/active')];
    const arrived = (path: string) => receiver.all.filter((request) => request.path === path).length;
    await setStatus('suspended');
    for (let n = 0; n < 3; n += 1) {
      await deliveries.sendTest({ workspaceId: suspended.workspaceId, kind: 'webhook', id: first });
      await deliveries.sendTest({ workspaceId: active.workspaceId, kind: 'webhook', id: second });
    }
    await until(
      () => Promise.resolve(arrived('/active')),
      (count) => count === 3,
    );
    expect(arrived('/suspended')).toBe(0);
    await setStatus('active');
    await until(
      () => Promise.resolve(arrived('/suspended')),
      (count) => count === 3,
    );
  });
});
