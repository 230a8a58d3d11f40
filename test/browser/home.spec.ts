import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { Dashboard, expectSoon, loaded, signIn } from './browser.js';

const HOUR_MS = 3_600_000;
/** Limit of the cumulative layout shift while Home loads. */
const MOST_SHIFTED = 0.01;

describe('Home', () => {
  const dashboard = new Dashboard(() =>
    startTestApplication({ ROLES: 'api,worker', OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' }),
  );
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

  async function withPosts() {
    const workspace = await dashboard.service.createWorkspace();
    const { workspaceId } = workspace;
    await storePosts(dashboard.service, workspaceId, [
      aPost(1, { createdUtc: hoursAgo(1) }),
      aPost(2, { createdUtc: hoursAgo(3) }),
      aPost(3, { createdUtc: hoursAgo(30) }),
      aPost(4),
    ]);
    await storeComments(dashboard.service, workspaceId, [
      aComment(1, { postId: aPost(1).id, createdUtc: hoursAgo(1) }),
    ]);
    return workspace;
  }

  it('appears after signing in, with what is new in 24 hours', async () => {
    const { page } = await dashboard.visit();
    await signIn(page, (await withPosts()).apiKey);
    const posts = page.getByRole('region', { name: 'New posts' });
    await posts.getByRole('link', { name: '2', exact: true }).waitFor();
    await posts.getByText('100%').waitFor();
    await page.getByRole('region', { name: 'New comments' }).getByRole('link', { name: '1' }).waitFor();
  });

  it('leads from a number to exactly the posts that it counts', async () => {
    const { page } = await dashboard.signedIn('/', await withPosts());
    await page
      .getByRole('region', { name: 'New posts' })
      .getByRole('link', { name: '2', exact: true })
      .click();
    await page.getByText('2 results').waitFor();
  });

  it('counts what is new since the last visit', async () => {
    const workspace = await withPosts();
    const { page } = await dashboard.signedIn('/', workspace);
    await page.getByRole('region', { name: 'New posts' }).getByRole('link').waitFor();
    await page.evaluate<void>(
      `for (const name of Object.keys(localStorage))
         if (name.startsWith('visits ')) localStorage.setItem(name, '${hoursAgo(2).getTime()} 0')`,
    );
    await page.reload();
    await page.getByRole('region', { name: 'New posts' }).getByText('1 since your last visit').waitFor();
  });

  it('shows the way to the first alert, until there is one', async () => {
    const workspace = await withPosts();
    const { page } = await dashboard.signedIn('/', workspace);
    await page.getByText('Three steps to your first mentions').waitFor();
    await call(dashboard.service, workspace, 'POST', '/alerts', { name: 'A', keywords: ['battery'] });
    await page.reload();
    await page.getByText('No mentions yet.').waitFor();
    await expectSoon(() => page.getByText('Three steps to your first mentions').count(), 0);
  });

  it('names an alert whose channel fails, and leads to it', async () => {
    const workspace = await withPosts();
    const receiver = await HttpReceiver.start(() => ({ status: 410 }));
    try {
      const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/alerts', {
        name: 'Batteries',
        keywords: ['battery'],
        channel: 'webhook',
        channel_config: { webhook_url: receiver.url },
      });
      await call(dashboard.service, workspace, 'POST', `/alerts/${id}/test`);
      const { page } = await dashboard.signedIn('/', workspace);
      const attention = page.getByRole('region', { name: 'Needs attention' });
      await attention.getByText('The last message was not delivered.').click();
      await page.waitForURL(`**/alerts/${id}`);
      await page.getByRole('heading', { name: 'Batteries' }).waitFor();
    } finally {
      await receiver.close();
    }
  });

  it.each([0, 1])('moves nothing that is shown while the rest is loading, with %d alerts', async (count) => {
    const workspace = await withPosts();
    if (count > 0)
      await call(dashboard.service, workspace, 'POST', '/alerts', { name: 'A', keywords: ['battery'] });
    const { page } = await dashboard.blank(workspace);
    await page.addInitScript(`
      window.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    const figure = page.locator('main').getByText('New posts', { exact: true });
    await page.route('**/alerts?*', async (route) => {
      await figure.waitFor({ state: 'attached' });
      await route.continue();
    });
    await page.goto('/');
    await page.getByRole('region', { name: 'Rising keywords' }).waitFor();
    await page.getByRole('region', { name: 'New posts' }).getByRole('link').waitFor();
    await page.getByText('No mentions yet.').waitFor();
    await loaded(page);
    expect(await page.evaluate<number>('window.shifted')).toBeLessThan(MOST_SHIFTED);
  });

  it('names a paused schedule, and leads to it', async () => {
    const workspace = await withPosts();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/schedules', {
      target: 'technology',
      cron_expression: '@hourly',
    });
    await call(dashboard.service, workspace, 'PATCH', `/schedules/${id}`, { is_active: false });
    const { page } = await dashboard.signedIn('/', workspace);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('The schedule is paused.').click();
    await page.getByRole('heading', { name: 'Schedules' }).waitFor();
  });
});
