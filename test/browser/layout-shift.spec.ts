import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { Dashboard, loaded } from './browser.js';

/** Limit of the cumulative layout shift while a page loads. */
const MOST_SHIFTED = 0.02;
const ALERTS = 4;
const WIDTHS = [390, 1_440];
const PAGES = [
  ...['/settings', '/alerts', '/webhooks', '/schedules', '/mentions', '/jobs', '/stories', '/reports'],
  ...['/', '/search', '/search?of=comments', '/exports', '/trends', '/connect', '/history'],
  // The pages of an alert, a report and a post.
  ...['/alerts/', '/reports/', '/posts/'],
];

describe('the layout of a page while it loads', () => {
  const dashboard = new Dashboard(() => startTestApplication());
  let workspace: TestWorkspace;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    workspace = await dashboard.service.createWorkspace();
    const create = async (path: string, body: object) =>
      (await call<{ id: string }>(dashboard.service, workspace, 'POST', path, body)).id;
    for (let number = 0; number < ALERTS; number += 1)
      ids['/alerts/'] = await create('/alerts', { name: `Alert ${number}`, keywords: ['battery'] });
    ids['/reports/'] = await create('/reports', { name: 'Report', alerts: [ids['/alerts/']] });
    await create('/webhooks', { url: 'https://example.com/hook' });
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1), aPost(2)]);
    await storeComments(dashboard.service, workspace.workspaceId, [aComment(1, { postId: aPost(1).id })]);
    ids['/posts/'] = aPost(1).id;
  });

  it.each(PAGES.flatMap((path) => WIDTHS.map((width) => [path, width] as const)))(
    'of %s stays in place at %d pixels',
    async (path, width) => {
      const { page } = await dashboard.blank(workspace);
      await page.setViewportSize({ width, height: 800 });
      await page.addInitScript(`
        window.shifted = 0;
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries()) window.shifted += value;
        }).observe({ type: 'layout-shift', buffered: true });`);
      // Answers come one after the other, as on a slow connection.
      let wait = 0;
      await page.route('**/api/v1/workspaces/**', async (route) => {
        wait += 40;
        await new Promise((resolve) => setTimeout(resolve, wait));
        await route.continue();
      });
      await page.goto(path + (ids[path] ?? ''));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await loaded(page);
      expect(await page.evaluate<number>('window.shifted')).toBeLessThan(MOST_SHIFTED);
    },
  );
});
