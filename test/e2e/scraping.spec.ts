import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Platforms } from '../../src/platforms/platforms.js';
import { RedditPlatform } from '../../src/platforms/reddit/reddit-platform.js';
import { InProcessRequestBudget } from '../../src/platforms/http/in-process-request-budget.js';
import { expectedPosts, idealRequests } from '../../src/sandbox/expected-data.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { type JobRecord, runJob, waitForEnd } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';

const FORUMS = { small: { posts: 40, commentsPerPost: 5 }, deep: { posts: 3_000, commentsPerPost: 0 } };

const sandbox = await openSandbox({ forums: FORUMS });
const service = await startTestApplication({
  ...scrapingFrom(sandbox.baseUrl),
  ARCHIVE_BASE_URL: `${sandbox.baseUrl}/archive`,
});

describe('scraping the synthetic platform through the service', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const idsOf = async (path: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const page = await call<{ posts: { id: string }[]; cursor: string; has_more: boolean }>(
        service,
        workspace,
        'GET',
        `${path}?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      ids.push(...page.posts.map((post) => post.id));
      if (!page.has_more) return ids;
      cursor = page.cursor;
    }
  };

  it('stores the newest posts with comments and media, and serves the files', async () => {
    const job = await runJob(service, workspace, { target: 'pictures', limit: 20 });
    expect(job).toMatchObject({ status: 'completed', posts_scraped: 20, progress: { stop_reason: 'limit' } });
    expect(job.media_downloaded).toBeGreaterThan(10);
    expect((await idsOf('/posts')).sort()).toEqual(expectedPosts({ forums: FORUMS }, 'pictures', 20).sort());
    const { posts } = await call<{ posts: { id: string }[] }>(
      service,
      workspace,
      'GET',
      '/posts?post_type=image&limit=1',
    );
    const path = `/posts/${posts[0]!.id}/media`;
    const [file] = await call<{ id: string; size: number; content_type: string; path: string }[]>(
      service,
      workspace,
      'GET',
      path,
    );
    const answer = await fetch(service.url + file!.path, { headers: { 'X-API-Key': workspace.apiKey } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(file!.content_type);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[0-9a-f]{64}\.\w+"$/);
    expect((await answer.arrayBuffer()).byteLength).toBe(file!.size);
    const elsewhere = file!.path.replace(posts[0]!.id, 't3_another');
    const refused = await fetch(service.url + elsewhere, { headers: { 'X-API-Key': workspace.apiKey } });
    expect(refused.status).toBe(404);
  });

  it("downloads media up to the workspace's quota, and says why not the rest", async () => {
    type Usage = { quotas: { media_bytes: { limit: number; used: number } } };
    const usage = async () => (await call<Usage>(service, workspace, 'GET', '/usage')).quotas.media_bytes;
    await runJob(service, workspace, { target: 'pictures', limit: 20 });
    const { used: whole } = await usage();
    workspace = await service.createWorkspace();
    const limit = Math.floor(whole / 2);
    await service.app
      .get(DataSource)
      .query('UPDATE workspaces SET quotas = $2 WHERE id = $1', [
        workspace.workspaceId,
        { media_bytes: limit },
      ]);
    const job = await runJob(service, workspace, { target: 'pictures', limit: 20 });
    expect(job).toMatchObject({ status: 'completed', posts_scraped: 20 });
    expect(job.media_downloaded).toBeGreaterThan(0);
    expect(job.progress.media_failed).toBeGreaterThan(0);
    expect(job.progress.media_failed_reason).toMatch(/^Quota media_bytes exceeded: limit /);
    const { used } = await usage();
    expect(used).toBeGreaterThan(0);
    expect(used).toBeLessThanOrEqual(limit);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/wss_quota_refusals_total\{quota="media_bytes"\} [1-9]/);
  });

  it('reads posts beyond the listing cap from the archive, once each', async () => {
    const expected = expectedPosts({ forums: FORUMS }, 'deep', 3_000);
    const deleted = aPost(1, { id: expected.at(-1)!, title: '[deleted]', createdUtc: new Date(0) });
    await storePosts(service, workspace.workspaceId, [deleted]);
    const job = await runJob(service, workspace, { target: 'deep', mode: 'history', limit: 10_000 });
    expect(job).toMatchObject({
      status: 'completed',
      posts_scraped: 3_000,
      comments_scraped: 0,
      progress: { stop_reason: 'end_of_listing' },
    });
    expect((await idsOf('/posts')).sort()).toEqual(expected.sort());
    expect(await call(service, workspace, 'GET', `/posts/${deleted.id}`)).toMatchObject({
      title: '[deleted]',
    });
  });

  it('finds all of a small forum, and nothing new with a monitor pass', async () => {
    const first = await runJob(service, workspace, {
      target: 'small',
      mode: 'history',
      scrape_comments: true,
    });
    expect(first).toMatchObject({
      posts_scraped: 40,
      progress: { limit: 100, posts_new: 40, posts_updated: 0 },
    });
    expect(first.progress.stop_reason).toBe('end_of_listing');
    expect(first.progress.requests).toBe(idealRequests({ forums: FORUMS }, 'small', 40));
    const pass = await runJob(service, workspace, { target: 'small', mode: 'monitor' });
    expect(pass).toMatchObject({ posts_scraped: 40, progress: { stop_reason: 'up_to_date', requests: 1 } });
    expect(pass.progress).toMatchObject({ posts_new: 0, posts_updated: 40 });
  });

  it('cancels a running job and keeps what it stored', async () => {
    const { id } = await call<JobRecord>(service, workspace, 'POST', '/jobs', {
      target: 'technology',
      limit: 5_000,
    });
    const stream = await fetch(`${service.url}${workspace.path(`/jobs/${id}/events`)}`, {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    expect(stream.headers.get('content-type')).toMatch(/text\/event-stream/);
    let text = '';
    let isCancelled = false;
    for await (const chunk of stream.body!) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (isCancelled || !/"posts_scraped":[1-9]/.test(text)) continue;
      await call(service, workspace, 'DELETE', `/jobs/${id}`);
      isCancelled = true;
    }
    expect(text).toMatch(/event: progress\n/);
    expect(text).toMatch(/event: end\n[^\n]*\n?data: .*"status":"cancelled"/);
    const job = await waitForEnd(service, workspace, id);
    expect(job.status).toBe('cancelled');
    expect(await idsOf('/posts')).toHaveLength(job.posts_scraped);
  });

  it('refuses plugins that it does not know, naming those it does', async () => {
    await expect(
      call(service, workspace, 'POST', '/jobs', { target: 'small', plugins: ['nix'] }),
    ).rejects.toThrow(/validation_failed.*deduplicator/s);
  });

  describe('when the platform refuses', () => {
    beforeAll(() => {
      // The normal retry policy, but with its waits a thousandth as long.
      const impatient = new RedditPlatform({
        baseUrl: sandbox.baseUrl,
        authUrl: sandbox.baseUrl,
        clientId: 'test',
        clientSecret: 'test',
        userAgent: 'test',
        budget: new InProcessRequestBudget(1_000_000),
        dependencies: {
          sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 1_000)),
        },
      });
      const platforms = service.get(Platforms);
      const { platform } = platforms.of({ type: 'forum', name: 'technology' });
      jest
        .spyOn(platform, 'fetchListing')
        .mockImplementation((...parameters) => impatient.fetchListing(...parameters));
    });

    it.each([
      ['privateforum', /private/i],
      ['bannedforum', /banned/i],
      ['quarantinedforum', /quarantined/i],
      ['gatedforum', /gated|opt/i],
      ['blockedforum', /blocks this service/],
      ['downforum', /not working.*503/],
      ['limitedforum', /still limits the request rate/],
      ['nosuchforum', /no forum "nosuchforum"/],
    ])('ends a job on %s as failed and says why', async (target, message) => {
      const job = await runJob(service, workspace, { target });
      expect(job).toMatchObject({ status: 'failed', posts_scraped: 0 });
      expect(job.error_message).toMatch(message);
    });
  });
});
