import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { call } from '../support/client.js';
import { Dashboard, loaded, signIn, type Visit, violations, violationsInAllViews } from './browser.js';

const JOB = '00000000-0000-4000-8000-000000000009';
const PAYLOADS = [
  '<img src=x onerror="document.title=`owned`">',
  '<script>document.title="owned"</script>',
  '"><svg onload=alert(1)>',
  '<mark><b>battery</b></mark>',
  'javascript:alert(1)',
];

const { NAVIGATION } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../../scripts/lib/pages.mjs')).href
)) as { NAVIGATION: string[] };
const PAGES = [
  ...NAVIGATION,
  '/mentions?state=all',
  '/search?q=battery',
  '/search?of=comments&q=battery',
  '/posts/t3_000001',
  '/start',
  '/jobs?create=yes',
  '/schedules?create=yes',
  '/alerts?create=yes&keywords=battery',
  '/reports?create=yes',
  '/webhooks?create=yes',
  '/exports?create=yes&q=battery',
  '/trends?period=all&q1=battery&q2=%3Cb%3E',
  '/trends?period=all&split=forum',
  '/settings?create=yes',
];

/** Pages of a single record; the service returns its hostile texts. */
const DETAIL_PAGES = ['job', 'webhook', 'alert', 'report', 'story'] as const;

/** Elements that open inside a page: the page, and the button that opens them. */
const OPENED = [
  ['/alerts', /^Test/],
  ['/alerts', /^Edit/],
  ['/schedules', /^Runs/],
  ['/schedules', /^Edit/],
  ['/settings', /^Replace the key/],
  ['/search', 'Download as a file'],
] as const;

describe('the safety of the dashboard', () => {
  const dashboard = new Dashboard();

  async function hostileWorkspace() {
    const workspace = await dashboard.service.createWorkspace(PAYLOADS[0]);
    const posts = PAYLOADS.map((text, number) =>
      aPost(number, {
        title: `battery ${text}`,
        selftext: `battery ${text}`,
        author: text.slice(0, 60),
        flair: text,
        url: text,
        forum: text.slice(0, 60),
        postType: 'link',
        keywords: [text],
      }),
    );
    await storePosts(dashboard.service, workspace.workspaceId, posts);
    await storeComments(
      dashboard.service,
      workspace.workspaceId,
      PAYLOADS.map((text, number) =>
        aComment(number + 1, { body: `battery ${text}`, author: text.slice(0, 60) }),
      ),
    );
    const [text] = PAYLOADS;
    const create = async (path: string, body: object) =>
      (await call<{ id: string }>(dashboard.service, workspace, 'POST', path, body)).id;
    const job = await create('/jobs', { target: text });
    await create('/schedules', { target: text, cron_expression: '@hourly' });
    const alert = await create('/alerts', {
      name: text,
      keywords: PAYLOADS,
      forums: [text],
      channel_config: { to: 'me@example.com' },
    });
    await create(`/alerts/${alert}/test`, {});
    await dashboard.service
      .get(TransactionRunner)
      .run((tx) =>
        dashboard.service
          .get(AlertMatchingService)
          .matchBatch(workspace.workspaceId, JOB, { posts, comments: [] }, null, tx),
      );
    const webhook = await create('/webhooks', { url: `https://8.8.8.8/?${text}` });
    await create(`/webhooks/${webhook}/test`, {});
    const report = await create('/reports', { name: text, alerts: [alert] });
    await create('/exports', { of: 'posts', format: 'csv', filters: { q: text, author: text } });
    const { stories } = await call<{ stories: { id: string }[] }>(
      dashboard.service,
      workspace,
      'GET',
      '/stories?since=2000-01-01T00:00:00Z',
    );
    const paths = {
      job: `/jobs/${job}`,
      webhook: `/webhooks/${webhook}`,
      alert: `/alerts/${alert}`,
      report: `/reports/${report}`,
      story: `/stories/${stories[0]!.id}`,
    };
    return { ...workspace, paths };
  }

  it('refuses a wrong key with a message and keeps no key in the page', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const { page } = await dashboard.visit();
    await page.getByLabel('API key').fill('rp_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('Unknown API key.').waitFor();
    await page.getByLabel('API key').fill('');
    await signIn(page, workspace.apiKey);
    await page.getByRole('heading', { name: 'Collect your first posts' }).waitFor();
    await page.getByRole('heading', { name: 'A word, anywhere' }).waitFor();
    expect(await page.content()).not.toContain(workspace.apiKey);
    expect(await page.evaluate<string>('document.cookie + JSON.stringify(localStorage)')).not.toMatch(
      /rp_|session/,
    );
  });

  it('signs out, and ends the session when the key is revoked', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const { page } = await dashboard.signedIn('/settings', workspace);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await signIn(page, workspace.apiKey);
    await page.getByRole('button', { name: /Revoke the key/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('API key').fill(workspace.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('This key has been revoked.').waitFor();
  });

  it('stays signed in, and says why, while the service cannot end the session', async () => {
    const { page } = await dashboard.signedIn('/settings');
    await page.route('**/api/v1/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/api/v1/session');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('Your session has ended.').count()).toBe(0);
  });

  describe('of each page', () => {
    let visited: Visit;
    let paths: Record<(typeof DETAIL_PAGES)[number], string>;

    beforeAll(async () => {
      const workspace = await hostileWorkspace();
      ({ paths } = workspace);
      visited = await dashboard.signedIn('/', workspace);
      await loaded(visited.page);
    });

    async function open(path: string): Promise<void> {
      const { page } = visited;
      await page.goto(path);
      await page.locator('h1').waitFor({ state: 'attached' });
      await loaded(page);
    }

    async function expectSafe(): Promise<void> {
      const { page, foreign, complaints } = visited;
      expect(await violationsInAllViews(page)).toEqual([]);
      expect(await page.title()).not.toBe('owned');
      const foreignElements = ['script', 'svg:not(.lucide, .sparkline, .line-mark)', 'b', 'img[src="x"]'];
      for (const place of ['main', '[role="dialog"]'])
        expect(await page.locator(foreignElements.map((one) => `${place} ${one}`).join()).count()).toBe(0);
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
      expect(foreign).toEqual([]);
      expect(complaints).toEqual([]);
    }

    it.each(PAGES)(
      '%s shows hostile texts as texts, loads nothing from elsewhere and passes axe',
      async (path) => {
        await open(path);
        await expectSafe();
      },
    );

    it.each(DETAIL_PAGES)('the page of a %s does, with what opens in it', async (kind) => {
      const { page } = visited;
      await open(paths[kind]);
      for (const details of await page.getByRole('button', { name: 'Details' }).all()) await details.click();
      await loaded(page);
      await expectSafe();
    });

    it.each(OPENED)('%s does after %s', async (path, name) => {
      const { page } = visited;
      await open(path);
      if (typeof name === 'string') await page.getByText(name).click();
      else {
        const button = page.getByRole('button', { name, includeHidden: true }).first();
        // The actions of some rows are in a menu.
        if (!(await button.isVisible())) await page.locator('main summary').first().click();
        await button.click();
      }
      await loaded(page);
      await expectSafe();
    });
  });

  it('passes axe on the sign-in page', async () => {
    const { page } = await dashboard.visit();
    await page.getByLabel('API key').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('shows hostile titles verbatim', async () => {
    const workspace = await hostileWorkspace();
    const { page } = await dashboard.signedIn('/search', workspace);
    await page.getByText(`${PAYLOADS.length} results`).waitFor();
    const titles = await page.locator('article h2').allInnerTexts();
    expect(titles.sort()).toEqual(PAYLOADS.map((text) => `battery ${text}`).sort());
  });
});
