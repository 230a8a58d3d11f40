import { type Sandbox, startSandbox } from '../../src/sandbox/server/sandbox.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { scrapingFrom } from '../support/sandbox.js';
import { Dashboard, expectSoon, focused, violationsInAllViews } from './browser.js';

describe('jobs in the dashboard', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    // Slow enough to watch the progress of a job.
    sandbox = await startSandbox({ latencyMs: 300 });
  });
  const dashboard = new Dashboard(() => startTestApplication(scrapingFrom(sandbox.baseUrl)));
  afterAll(() => sandbox.close());

  const SETTINGS = { target: 'technology', scrape_comments: false, download_media: false };

  it('show how far they are and what is left, in the list and on their page', async () => {
    const { page, workspace } = await dashboard.blank();
    await call(dashboard.service, workspace, 'POST', '/jobs', {
      ...SETTINGS,
      limit: 300,
      scrape_comments: true,
    });
    await page.goto('/jobs');
    const bar = page.getByRole('progressbar');
    await bar.waitFor();
    await page.getByText('of at most 300 posts').waitFor();
    await page.getByRole('link', { name: 'technology' }).click();
    await page.getByText(/\d+ threads left/).waitFor();
    expect(Number(await bar.getAttribute('max'))).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
    await bar.waitFor({ state: 'detached' });
  });

  it('tell new posts from updated ones, beside the run before', async () => {
    const { page, workspace } = await dashboard.blank();
    const start = async (): Promise<string> =>
      (await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', { ...SETTINGS, limit: 10 }))
        .id;
    await page.goto(`/jobs/${await start()}`);
    await page.getByText('Posts: 10 new, 0 updated').waitFor();
    await page.goto(`/jobs/${await start()}`);
    await page.getByText('Posts: 0 new, 10 updated').waitFor();
    const comparison = page.getByRole('region', { name: 'Compared with the run before' });
    await expectSoon(
      () =>
        comparison
          .getByRole('row', { name: /New posts/ })
          .getByRole('cell')
          .allInnerTexts(),
      ['0', '10'],
    );
    await page.goto('/jobs');
    await page.getByText('10 (0 new)').waitFor();
  });

  it('can be changed and started again', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', {
      ...SETTINGS,
      target: 'tecnology',
      limit: 7,
    });
    await page.goto(`/jobs/${id}`);
    await page.getByRole('button', { name: 'Edit and start again' }).click();
    await focused(page.getByLabel('Forum or user name'));
    await expectSoon(() => page.getByLabel('Maximum posts').inputValue(), '7');
    await page.getByLabel('Forum or user name').fill('technology');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('Posts: 7 new, 0 updated').waitFor();
  });

  it('have a log that opens at its end, with retries in one line', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', {
      ...SETTINGS,
      limit: 1,
    });
    const entry = (event: string, level: string, number: number) => ({
      at: new Date(Date.UTC(2026, 0, 1, 9, 0, number)).toISOString(),
      level,
      event,
      message: `${event} ${number}`,
      details: {},
    });
    const entries = [
      ...Array.from({ length: 40 }, (_, number) => entry('posts_stored', 'info', number)),
      ...Array.from({ length: 5 }, (_, number) => entry('request_repeated', 'warn', 40 + number)),
      entry('completed', 'info', 59),
    ];
    await page.route('**/log', (route) => route.fulfill({ json: { entries, left_out: 0 } }));
    await page.goto(`/jobs/${id}`);
    const log = page.getByRole('list', { name: 'Log' });
    await log.getByText('5 requests failed and were retried').waitFor();
    expect(await log.getByText('request_repeated 44').isVisible()).toBe(false);
    await expectSoon(async () => {
      const [list, last] = await Promise.all([
        log.boundingBox(),
        log.getByText('completed 59').boundingBox(),
      ]);
      return last!.y + last!.height <= list!.y + list!.height + 1;
    }, true);
    expect(await log.getByText('completed 59').locator('..').innerText()).toMatch(/\d:00:59\s[AP]M\s+Info/);
    await log.getByText('5 requests failed').click();
    await log.getByText('request_repeated 44').waitFor();
  });

  it('have a log that can be searched', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', {
      ...SETTINGS,
      limit: 1,
    });
    const entries = Array.from({ length: 30 }, (_, number) => ({
      at: new Date(Date.UTC(2026, 0, 1, 9, 0, number)).toISOString(),
      level: number % 10 === 7 ? 'warn' : 'info',
      event: 'posts_stored',
      message: `Entry ${number}`,
      details: {},
    }));
    await page.route('**/log', (route) => route.fulfill({ json: { entries, left_out: 0 } }));
    await page.goto(`/jobs/${id}`);
    await page.getByLabel('Find in the log').fill('entry 2');
    await page.getByText('11 of 30 entries').waitFor();
    await page.getByLabel('Only warnings').check();
    await page.getByText('1 of 30 entries').waitFor();
    const log = page.getByRole('list', { name: 'Log' });
    await expectSoon(() => log.getByText('Entry 27').count(), 1);
    await page.getByLabel('Find in the log').fill('no such entry');
    await page.getByText('No entry matches.').waitFor();
  });

  it('are repeated and cancelled together', async () => {
    const { page, workspace } = await dashboard.blank();
    for (const limit of [1, 2])
      await call(dashboard.service, workspace, 'POST', '/jobs', { ...SETTINGS, limit });
    await page.goto('/jobs');
    await expectSoon(() => page.getByText('Completed', { exact: true }).count(), 3);
    await page.getByLabel('Select all 2').check();
    await page.getByRole('button', { name: 'Repeat 2 jobs' }).click();
    await page.getByText('2 jobs were started again.').waitFor();
    await expectSoon(() => page.getByLabel('Select: technology, Completed').count(), 4);
    for (const limit of [200, 300])
      await call(dashboard.service, workspace, 'POST', '/jobs', {
        ...SETTINGS,
        limit,
        scrape_comments: true,
      });
    await page.reload();
    const unfinished = page.getByLabel(/^Select: technology, (Waiting|Running)$/);
    await unfinished.nth(1).waitFor();
    await unfinished.first().check();
    await unfinished.last().check();
    await page.getByRole('button', { name: 'Cancel 2 jobs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel 2 jobs?' });
    await dialog.getByRole('button', { name: 'Cancel 2 jobs' }).click();
    await expectSoon(() => page.getByLabel('Select: technology, Cancelled').count(), 2);
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('do not lead from a synthetic post to the real platform', async () => {
    const workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1, { id: 't3_0syn1' })]);
    const { page } = await dashboard.signedIn('/posts/t3_0syn1', workspace);
    await page.getByText('Synthetic post, published nowhere').waitFor();
    expect(await page.getByRole('link', { name: 'Open on the platform' }).count()).toBe(0);
  });
});
