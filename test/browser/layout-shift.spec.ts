import type { Page } from 'playwright-core';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import type { TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { expectSoon, loaded, operatorDashboard } from './browser.js';

/** Limit of the cumulative layout shift while a page loads. */
const MOST_SHIFTED = 0.02;
const PICTURES = ['https://example.com/1.png'];
const ALERTS = 4;
const POSTS = 12;
const HOUR_MS = 3_600_000;
const JOB = '00000000-0000-4000-8000-000000000009';
const WIDTHS = [390, 1_440];
const PAGES = [
  ...['/settings', '/alerts', '/webhooks', '/schedules', '/mentions', '/jobs', '/stories', '/reports'],
  ...['/', '/start', '/search', '/search?of=comments', '/search?q=none', '/exports', '/trends', '/connect'],
  '/history',
  // The pages of single records.
  ...['/alerts/', '/reports/', '/posts/', '/jobs/', '/webhooks/', '/stories/'],
];
const PAGES_OF_OPERATORS = ['/admin/overview', '/admin/workspaces', '/admin/workspaces/', '/admin/audit'];

describe('the layout of a page while it loads', () => {
  const dashboard = operatorDashboard();
  let workspace: TestWorkspace;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const { service } = dashboard;
    workspace = await service.createWorkspace();
    ids['/admin/workspaces/'] = workspace.workspaceId;
    const create = async (path: string, body: object) =>
      (await call<{ id: string }>(service, workspace, 'POST', path, body)).id;
    for (let number = 0; number < ALERTS; number += 1)
      ids['/alerts/'] = await create('/alerts', { name: `Alert ${number}`, keywords: ['power bank'] });
    ids['/reports/'] = await create('/reports', { name: 'Report', alerts: [ids['/alerts/']] });
    ids['/webhooks/'] = await create('/webhooks', { url: 'https://example.com/hook' });
    ids['/jobs/'] = await create('/jobs', { target: 'technology', limit: 1 });
    await create('/schedules', { target: 'technology', cron_expression: '@hourly' });
    const posts = Array.from({ length: POSTS }, (_, number) =>
      aPost(number, {
        title: `Recall of the Nordlicht power bank after a fire, part ${number}`,
        selftext: 'The Nordlicht power bank overheats while charging; its cells swell.',
        createdUtc: new Date(Date.now() - (number + 1) * HOUR_MS),
        mediaUrls: PICTURES,
        hasMedia: true,
      }),
    );
    const comments = Array.from({ length: POSTS }, (_, number) =>
      aComment(number, { postId: aPost(1).id, body: `A power bank, ${number}` }),
    );
    await storePosts(service, workspace.workspaceId, posts);
    await storeComments(service, workspace.workspaceId, comments);
    await service
      .get(TransactionRunner)
      .run((tx) =>
        service
          .get(AlertMatchingService)
          .matchBatch(workspace.workspaceId, JOB, { posts, comments: [] }, null, tx),
      );
    ids['/posts/'] = aPost(1).id;
    const { stories } = await call<{ stories: { id: string }[] }>(service, workspace, 'GET', '/stories');
    ids['/stories/'] = stories[0]!.id;
  });

  /** How far a page of `width` pixels shifts while it loads. */
  async function shiftOf(page: Page, path: string, width: number): Promise<number> {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(`
      window.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });`);
    // Answers come one after the other, as on a slow connection.
    let wait = 0;
    await page.route(/\/api\/v1\/(workspaces|admin)\//, async (route) => {
      wait += 40;
      await new Promise((resolve) => setTimeout(resolve, wait));
      await route.fallback();
    });
    await page.goto(path + (ids[path] ?? ''));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await loaded(page);
    return page.evaluate<number>('window.shifted');
  }

  it.each([...PAGES, ...PAGES_OF_OPERATORS].flatMap((path) => WIDTHS.map((width) => [path, width] as const)))(
    'of %s stays in place at %d pixels',
    async (path, width) => {
      const page = path.startsWith('/admin')
        ? await dashboard.operator('/admin/audit')
        : (await dashboard.blank(workspace)).page;
      expect(await shiftOf(page, path, width)).toBeLessThan(MOST_SHIFTED);
    },
  );

  it.each(WIDTHS)('of a post with a stored picture stays in place at %d pixels', async (width) => {
    const { page } = await dashboard.blank(workspace);
    const [url] = PICTURES;
    await page.route('**/posts/*/media', (route) =>
      route.fulfill({ json: [{ id: 'media_1', url, content_type: 'image/svg+xml', path: '/picture' }] }),
    );
    await page.route('**/picture', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1600"/>',
      }),
    );
    expect(await shiftOf(page, '/posts/', width)).toBeLessThan(MOST_SHIFTED);
    const drawnWidth = `[...document.images].find(({ alt }) => alt === 'Picture 1 of the post')?.naturalWidth`;
    await expectSoon(() => page.evaluate<number | undefined>(drawnWidth), 900);
    expect(await page.evaluate<number>('window.shifted')).toBeLessThan(MOST_SHIFTED);
  });
});
