import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Platforms } from '../../src/platforms/platforms.js';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { type JobRecord, runJob, waitForEnd } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { MediaDownloader } from '../../src/content/media/media-downloader.js';
import { MediaRefused } from '../../src/content/media/media-store.js';
import { type Answer, Contract } from '../support/contract.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const LARGE = { target: 'slow', mode: 'history', limit: 10_000 };
const SMALL = { target: 'quick', limit: 10 };

describe('the slots of a worker', () => {
  let sandbox: Sandbox;
  let service: TestApplication;
  /** Listings of the slow forum that wait until the test releases them, one for each running job. */
  let held: (() => void)[];
  let isHolding: boolean;

  beforeAll(async () => {
    sandbox = await openSandbox({ forums: { slow: { posts: 3 }, quick: { posts: 10 } } });
    service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
    const platforms = service.get(Platforms);
    const { platform } = platforms.of({ type: 'forum', name: 'slow' });
    const fetchListing = platform.fetchListing.bind(platform);
    jest.spyOn(platform, 'fetchListing').mockImplementation(async (listing, after, session) => {
      if (isHolding && listing.target.name === 'slow')
        await new Promise<void>((resolve) => held.push(resolve));
      return fetchListing(listing, after, session);
    });
  });
  beforeEach(() => {
    held = [];
    isHolding = true;
  });
  afterEach(() => release());

  const start = (workspace: TestWorkspace, count: number): Promise<JobRecord[]> =>
    Promise.all(
      Array.from({ length: count }, () => call<JobRecord>(service, workspace, 'POST', '/jobs', LARGE)),
    );
  const statuses = async (workspace: TestWorkspace): Promise<Record<string, number>> => {
    const { jobs } = await call<{ jobs: JobRecord[] }>(service, workspace, 'GET', '/jobs?limit=50');
    return jobs.reduce<Record<string, number>>(
      (counts, { status }) => ({ ...counts, [status]: (counts[status] ?? 0) + 1 }),
      {},
    );
  };
  const untilHeld = (count: number): Promise<boolean> => until(() => held.length >= count);
  const release = (): void => {
    isHolding = false;
    for (const resume of held.splice(0)) resume();
  };

  it('are not all used by the large jobs of one workspace', async () => {
    const [greedy, modest] = [await service.createWorkspace(), await service.createWorkspace()];
    const jobs = await start(greedy, 7);
    await untilHeld(2);
    expect(await runJob(service, modest, SMALL)).toMatchObject({ status: 'completed', posts_scraped: 10 });
    expect(await runJob(service, modest, { target: 'quick', limit: 10_000 })).toMatchObject({
      status: 'completed',
      posts_scraped: 10,
    });
    expect(await runJob(service, greedy, SMALL)).toMatchObject({ status: 'completed', posts_scraped: 10 });
    expect(await statuses(greedy)).toEqual({ running: 2, pending: 5, completed: 1 });
    release();
    for (const { id } of jobs) expect((await waitForEnd(service, greedy, id)).status).toBe('completed');
  });

  it('are partly reserved for small jobs', async () => {
    const workspaces = await Promise.all(Array.from({ length: 4 }, () => service.createWorkspace()));
    const jobs: [TestWorkspace, JobRecord][] = [];
    for (const workspace of workspaces)
      for (const job of await start(workspace, 3)) jobs.push([workspace, job]);
    await untilHeld(6);
    const small = await service.createWorkspace();
    expect(await runJob(service, small, SMALL)).toMatchObject({ status: 'completed', posts_scraped: 10 });
    expect(await runJob(service, small, { ...SMALL, mode: 'monitor', limit: 1_000 })).toMatchObject({
      status: 'completed',
      progress: { stop_reason: 'up_to_date' },
    });
    const counts = await Promise.all(workspaces.map(statuses));
    expect(counts.reduce((sum, { running = 0 }) => sum + running, 0)).toBe(6);
    release();
    for (const [workspace, { id }] of jobs)
      expect((await waitForEnd(service, workspace, id)).status).toBe('completed');
  });

  it('are not all used by one workspace, however many waiting jobs it has', async () => {
    const greedy = await service.createWorkspace();
    await service.app.get(DataSource).query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
       SELECT $1, gen_random_uuid(), 'slow', 'forum', 'full', 20, false, false FROM generate_series(1, 600)`,
      [greedy.workspaceId],
    );
    await untilHeld(6);
    const modest = await service.createWorkspace();
    // Ends although none of the six was released.
    expect(await runJob(service, modest, { target: 'quick', limit: 20 })).toMatchObject({
      status: 'completed',
    });
    expect(held).toHaveLength(6);
    await service.app
      .get(DataSource)
      .query(`UPDATE jobs SET status = 'cancelled' WHERE workspace_id = $1`, [greedy.workspaceId]);
  });
});

const PLUGIN = `export default {
  name: 'faulty',
  description: 'Fails on every batch.',
  onPosts() { throw new Error('out of order'); },
};`;

describe('the progress of a job', () => {
  let folder: string;
  let sandbox: Sandbox;
  let service: TestApplication;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder, 'faulty.mjs'), PLUGIN);
    sandbox = await openSandbox();
    service = await startTestApplication({ ...scrapingFrom(sandbox.baseUrl), PLUGINS_DIR: folder });
    jest.spyOn(service.get(MediaDownloader), 'fetch').mockRejectedValue(new MediaRefused('gone'));
  });

  it('is returned as documented, including failed media and plugins', async () => {
    const workspace = await service.createWorkspace();
    const job = await runJob(service, workspace, { target: 'pictures', limit: 20, plugins: ['faulty'] });
    expect(job.progress).toMatchObject({
      posts: 20,
      media: 0,
      media_failed: expect.any(Number) as number,
      plugin_errors: [{ plugin: 'faulty', count: 1, message: 'out of order' }],
    });
    const address = workspace.path(`/jobs/${job.id}`);
    const response = await fetch(service.url + address, { headers: { 'X-API-Key': workspace.apiKey } });
    const text = await response.text();
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text) as Answer['body'],
    };
    expect(Contract.of(service).complaints('GET', address, answer)).toEqual([]);
  });
});
