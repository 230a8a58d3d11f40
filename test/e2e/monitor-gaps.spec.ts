import { DataSource } from 'typeorm';
import type { Sandbox } from '../../src/sandbox/server/sandbox.js';
import { expectedPosts } from '../../src/sandbox/expected-data.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { type JobRecord, runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';

const EPOCH = new Date('2026-11-01T00:00:00Z');
const MINUTE_MS = 60_000;
const WORLD = {
  epoch: EPOCH,
  live: { postsPerMinute: 10 },
  forums: { busy: { posts: 400, commentsPerPost: 0 } },
};

describe('monitor passes that are cut short', () => {
  let sandbox: Sandbox;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let now: number;

  beforeAll(async () => {
    sandbox = await openSandbox({ ...WORLD, now: () => now });
    service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    now = EPOCH.getTime();
  });

  const scrape = (mode: string, limit: number): Promise<JobRecord> =>
    runJob(service, workspace, {
      target: 'busy',
      mode,
      limit,
      scrape_comments: false,
      download_media: false,
    });
  const storedPosts = async (): Promise<number> =>
    (await call<{ total: number }>(service, workspace, 'GET', '/posts?limit=1')).total;
  /** Ages what was stored before, because passes are further apart than clocks differ. */
  const ageStored = async (): Promise<void> => {
    const database = service.app.get(DataSource);
    // Citus shifts no times whose result depends on the session's zone.
    await database.query(
      `UPDATE posts SET scraped_at = (scraped_at AT TIME ZONE 'UTC' - interval '1 hour') AT TIME ZONE 'UTC'`,
    );
    await database.query(
      `UPDATE jobs SET started_at = started_at - interval '1 hour', created_at = created_at - interval '1 hour'`,
    );
  };
  const newPosts = (count: number): void => void (now += (count / 10) * MINUTE_MS);

  it('leave no gap: later passes continue down to previously stored posts', async () => {
    expect(await scrape('full', 200)).toMatchObject({ posts_scraped: 200 });
    await ageStored();
    newPosts(350);
    const cut = await scrape('monitor', 120);
    expect(cut).toMatchObject({ posts_scraped: 120, progress: { stop_reason: 'limit' } });
    await ageStored();
    const cutAgain = await scrape('monitor', 120);
    expect(cutAgain).toMatchObject({ posts_scraped: 120, progress: { stop_reason: 'limit' } });
    await ageStored();
    newPosts(30);
    const closing = await scrape('monitor', 1_000);
    expect(closing.progress.stop_reason).toBe('up_to_date');
    // 30 new posts and 110 of the gap; posts stored by earlier passes are crossed.
    expect(closing.posts_scraped).toBe(140);
    expect(await storedPosts()).toBe(200 + 350 + 30);
    await ageStored();
    const last = await scrape('monitor', 1_000);
    expect(last).toMatchObject({ posts_scraped: 100, progress: { stop_reason: 'up_to_date', requests: 1 } });
  });

  it('are followed by an ordinary pass when there is nothing older to reach', async () => {
    expect(await scrape('monitor', 50)).toMatchObject({ progress: { stop_reason: 'limit' } });
    await ageStored();
    newPosts(20);
    await scrape('monitor', 1_000);
    expect(await storedPosts()).toBe(expectedPosts({ ...WORLD, now: () => now }, 'busy', 10_000).length);
    await ageStored();
    expect(await scrape('monitor', 1_000)).toMatchObject({
      progress: { stop_reason: 'up_to_date', requests: 1 },
    });
  });
});
