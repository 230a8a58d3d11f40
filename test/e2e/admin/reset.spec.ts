import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getQueueToken } from '@nestjs/bull';
import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import { createApplication } from '../../../src/application.js';
import { SCRAPE_QUEUE, type ScrapePayload } from '../../../src/infrastructure/queue/queues.js';
import type { Sandbox } from '../../../src/sandbox/server/sandbox.js';
import { TenantRowsRepository } from '../../../src/privacy/workspaces/tenant-rows.repository.js';
import { aComment, storeComments } from '../../factories/comments.js';
import { aPost, storePosts } from '../../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { call, requestAs } from '../../support/client.js';
import { runJob } from '../../support/jobs.js';
import { digestWorkspace } from '../../support/rows.js';
import { openSandbox, scrapingFrom } from '../../support/sandbox.js';
import { startTwoWorkspaces } from '../../support/two-workspaces.js';
import { until } from '../../support/until.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
/** Who may use a workspace, and numbers that must keep increasing. */
const KEPT = [
  'alert_versions',
  'api_keys',
  'comment_count_deltas',
  'erasures',
  'job_turns',
  'keyword_frequencies',
  'notification_addresses',
  'post_count_deltas',
  'sessions',
  'suppressed_hashes',
  'suppressions',
  'workspace_keys',
  'workspaces',
  'search_blocks',
  'search_changes',
  'search_segments',
];

interface Described {
  name: string;
  quotas: Record<string, number>;
  usage: Record<string, number>;
}

async function reset(service: TestApplication, { workspaceId }: TestWorkspace): Promise<Described> {
  const response = await fetch(`${service.url}/api/v1/admin/workspaces/${workspaceId}/reset`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Described;
}

async function tablesWithRows(service: TestApplication, workspaceId: string): Promise<string[]> {
  const digests = await digestWorkspace(service.app.get(DataSource), workspaceId);
  return Object.entries(digests)
    .filter(([, digest]) => !/^0 rows/.test(digest ?? '0 rows'))
    .map(([name]) => name);
}

describe('the reset of a workspace', () => {
  it('deletes its data, but keeps its keys, quotas and other workspaces', async () => {
    const both = await startTwoWorkspaces({ ADMIN_TOKEN: TOKEN });
    const { a, b, service, dataSource } = both;
    const media = (workspaceId: string) => join(service.environment.DATA_DIR, 'media', workspaceId);
    const exportOf = (workspaceId: string) =>
      join(service.environment.DATA_DIR, 'media', 'exports', workspaceId);
    for (const { workspaceId } of [a, b]) {
      await mkdir(exportOf(workspaceId), { recursive: true });
      await writeFile(join(exportOf(workspaceId), 'part'), 'rows');
    }
    await fetch(`${service.url}/api/v1/admin/workspaces/${a.workspaceId}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Kept', quotas: { alerts: 7 } }),
    });
    // Without the time of the last use, which these requests themselves change.
    const keysOfA = async () =>
      (await call<object[]>(service, a, 'GET', '/api-keys')).map((key) => ({ ...key, last_used_at: null }));
    const keys = await keysOfA();
    const kept = await digestWorkspace(dataSource, b.workspaceId);
    expect((await tablesWithRows(service, a.workspaceId)).length).toBeGreaterThan(18);

    expect(await reset(service, a)).toMatchObject({
      name: 'Kept',
      quotas: { alerts: 7 },
      usage: { posts: 0, comments: 0, media_bytes: 0, pending_jobs: 0 },
    });

    expect(KEPT).toEqual(expect.arrayContaining(await tablesWithRows(service, a.workspaceId)));
    for (const [path, total] of [
      ['/posts', 'total'],
      ['/comments', 'total'],
      ['/jobs', 'total'],
    ])
      expect((await call<Record<string, number>>(service, a, 'GET', path!))[total!]).toBe(0);
    expect(await call<unknown>(service, a, 'GET', '/posts/forums/list')).toEqual([]);
    expect(await keysOfA()).toEqual(keys);
    expect([existsSync(media(a.workspaceId)), existsSync(exportOf(a.workspaceId))]).toEqual([false, false]);
    expect(await digestWorkspace(dataSource, b.workspaceId)).toEqual(kept);
    expect([existsSync(media(b.workspaceId)), existsSync(exportOf(b.workspaceId))]).toEqual([true, true]);
    const { body } = await requestAs(service, a, 'GET', `/jobs/${a.jobs.completed}`);
    expect(body).toMatchObject({ code: 'not_found' });
  });

  describe('of a workspace in use', () => {
    let sandbox: Sandbox;
    let service: TestApplication;
    let worker: INestApplication | null = null;
    beforeAll(async () => {
      sandbox = await openSandbox();
      service = await startTestApplication({
        ...scrapingFrom(sandbox.baseUrl),
        ROLES: 'api',
        ADMIN_TOKEN: TOKEN,
      });
    });
    afterAll(async () => {
      await worker?.close();
    });
    const startWorker = async (): Promise<void> => {
      worker = await createApplication({ ...service.environment, ROLES: ['worker'] });
    };
    const stopWorker = async (): Promise<void> => {
      await worker?.close();
      worker = null;
    };

    it('removes only its own entries of the queue', async () => {
      const [own, other] = [await service.createWorkspace(), await service.createWorkspace()];
      for (const workspace of [own, other])
        await call(service, workspace, 'POST', '/jobs', { target: 'technology' });
      await reset(service, own);
      const queue = service.app.get<Queue<ScrapePayload>>(getQueueToken(SCRAPE_QUEUE), { strict: false });
      const entries = await queue.getJobs(['waiting', 'delayed']);
      expect(entries.map(({ data }) => data.workspaceId)).toEqual([other.workspaceId]);
      await reset(service, other);
    });

    it('leaves no file without a record when it is interrupted', async () => {
      const workspace = await service.createWorkspace();
      const folder = join(service.environment.DATA_DIR, 'media', workspace.workspaceId);
      await mkdir(folder, { recursive: true });
      const rows = service.get(TenantRowsRepository);
      jest.spyOn(rows, 'deleteBatch').mockRejectedValueOnce(new Error('killed'));
      await expect(reset(service, workspace)).rejects.toThrow(/^500 /);
      expect(existsSync(folder)).toBe(false);
    });

    it('leaves nothing to which an execution could add afterwards', async () => {
      const workspace = await service.createWorkspace();
      await startWorker();
      const { id } = await call<{ id: string }>(service, workspace, 'POST', '/jobs', {
        target: 'askanything',
        limit: 1_000,
        scrape_comments: true,
        download_media: true,
      });
      const posts = async () => (await call<{ total: number }>(service, workspace, 'GET', '/posts')).total;
      await until(posts);
      const { status } = await call<{ status: string }>(service, workspace, 'GET', `/jobs/${id}`);
      expect(status).toBe('running');
      await reset(service, workspace);
      // Waits for the executions of this worker.
      await stopWorker();
      expect(KEPT).toEqual(expect.arrayContaining(await tablesWithRows(service, workspace.workspaceId)));
      expect(await posts()).toBe(0);
    });

    it('leaves no alert or phrase frequency in the caches of a worker', async () => {
      await startWorker();
      const used = await service.createWorkspace();
      const fresh = await service.createWorkspace();
      const job = (target: string) => ({ target, limit: 60, scrape_comments: false, download_media: false });
      const watch = (workspace: TestWorkspace, keyword: string) =>
        call<unknown>(service, workspace, 'POST', '/alerts', {
          name: keyword,
          keywords: [keyword],
          channel: 'webhook',
          channel_config: { webhook_url: 'https://8.8.8.8/' },
        });
      await watch(used, 'the');
      await runJob(service, used, job('technology'));
      await runJob(service, used, job('pictures'));
      await reset(service, used);
      for (const workspace of [used, fresh]) {
        await watch(workspace, 'and');
        await runJob(service, workspace, job('askanything'));
        await runJob(service, workspace, job('programming'));
      }
      const contents = async (workspace: TestWorkspace) => ({
        posts: await service.app
          .get(DataSource)
          .query<object[]>('SELECT id, keywords FROM posts WHERE workspace_id = $1 ORDER BY id', [
            workspace.workspaceId,
          ]),
        alerts: (
          await call<{ name: string; trigger_count: number }[]>(service, workspace, 'GET', '/alerts')
        ).map(({ name, trigger_count }) => [name, trigger_count]),
      });
      const expected = await contents(fresh);
      expect(expected.posts).toHaveLength(120);
      expect(expected.alerts).toEqual([['and', expect.any(Number)]]);
      expect(await contents(used)).toEqual(expected);
      await stopWorker();
    });

    it('returns recounted totals', async () => {
      const workspace = await service.createWorkspace();
      const fill = async (first: number, count: number): Promise<void> => {
        const numbers = Array.from({ length: count }, (_, index) => first + index);
        await storePosts(
          service,
          workspace.workspaceId,
          numbers.map((number) => aPost(number)),
        );
        await storeComments(
          service,
          workspace.workspaceId,
          numbers.flatMap((number) =>
            Array.from({ length: 10 }, (_, index) =>
              aComment(number * 10 + index, { postId: aPost(number).id }),
            ),
          ),
        );
      };
      const totals = async () => {
        const posts = await call<{ total: number }>(service, workspace, 'GET', '/posts?forum=technology');
        const comments = await call<{ total: number }>(service, workspace, 'GET', '/comments?min_score=0');
        return [posts.total, comments.total];
      };
      for (let round = 1; round <= 3; round += 1) {
        await fill(round * 10_000, 1_000);
        expect((await totals())[0]).toBeGreaterThan(300);
        await reset(service, workspace);
        expect(await totals()).toEqual([0, 0]);
      }
    });
  });
});
