import type { ServerResponse } from 'node:http';
import type { Page, Route } from 'playwright-core';
import type { TestWorkspace } from '../support/application.js';
import type { NewComment } from '../../src/content/comments/comments.repository.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { Dashboard, expectSoon } from './browser.js';

const COMMENTS = 10_000;
const STORED_AT_ONCE = 1_000;
/** Maximum number of comments in the page at a time: those that fit the screen, and some above and below. */
const MOST_RENDERED = 60;
const EXPORTS = '**/exports/comments?*';
const REFUSAL = { type: 'about:blank', title: 'Forbidden', detail: 'Refused for a reason.' };

/** A thread of chains of five comments, each a reply to the previous one. */
function thread(): NewComment[] {
  return Array.from({ length: COMMENTS }, (_, number) => {
    const depth = number % 5;
    return aComment(number, {
      depth,
      score: 0,
      body: `Comment ${number} `.repeat(1 + (number % 20)),
      ...(depth > 0 && { parentId: aComment(number - 1).commentId }),
    });
  });
}

const shown = (page: Page, comments: number): Promise<void> =>
  page.locator(`main ol > li[aria-setsize="${comments}"]`).first().waitFor();

describe('the thread of a post', () => {
  const dashboard = new Dashboard();
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1), aPost(2)]);
    const comments = thread();
    for (let first = 0; first < COMMENTS; first += STORED_AT_ONCE)
      await storeComments(
        dashboard.service,
        workspace.workspaceId,
        comments.slice(first, first + STORED_AT_ONCE),
      );
  });

  it('shows the first of 10,000 comments early and renders only few of them', async () => {
    const { page } = await dashboard.blank(workspace);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(EXPORTS, (route) => released.then(() => route.continue()));
    let pages = 0;
    page.on('request', (request) => {
      if (request.url().includes('/comments?post_id=')) pages += 1;
    });
    await page.goto('/posts/t3_000001');
    await page.getByText('10,000 comments stored').waitFor();
    await page.getByText('Loading comments: 0 of 10,000').waitFor();
    const rendered = page.locator('main ol > li');
    await shown(page, 200);
    release();
    await shown(page, COMMENTS);
    expect(await rendered.count()).toBeLessThan(MOST_RENDERED);
    expect(await page.getByText('Loading comments').count()).toBe(0);
    // One page of the list, one export with all comments, and one that finds no others.
    expect(pages).toBe(3);

    // Row heights are measured when rows are drawn, so the end of the page moves while it is approached.
    const last = page.locator(`main ol > li[aria-posinset="${COMMENTS}"]`);
    while (!(await last.isVisible())) {
      await page.keyboard.press('End');
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(await rendered.count()).toBeLessThan(MOST_RENDERED);
    }
    expect(await last.textContent()).toContain('Comment 9999 ');

    await page.getByRole('button', { name: 'Collapse all' }).press('Enter');
    await shown(page, COMMENTS / 5);
    expect(await rendered.count()).toBeLessThan(MOST_RENDERED);
  });

  it('keeps the beginning when the rest is refused, and reads everything after a retry', async () => {
    const { page } = await dashboard.blank(workspace);
    await page.route(EXPORTS, (route) => refuse(route, 403));
    await page.goto('/posts/t3_000001');
    await page.getByRole('alert').getByText(REFUSAL.detail).waitFor();
    await shown(page, 200);
    await page.unroute(EXPORTS);
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await shown(page, COMMENTS);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('waits for a free export slot of the workspace', async () => {
    const { page } = await dashboard.blank(workspace);
    await page.route(EXPORTS, (route) => refuse(route, 429), { times: 2 });
    await page.goto('/posts/t3_000001');
    await shown(page, COMMENTS);
  });

  it('does not mistake an incomplete response for the whole thread', async () => {
    const { page } = await dashboard.blank(workspace);
    const server = dashboard.service.app.getHttpServer();
    let broken = 0;
    const breakOff = ({ url }: { url?: string }, response: ServerResponse): void => {
      if (!url?.includes('/exports/comments?')) return;
      const { write } = response;
      let writes = 0;
      response.write = ((...chunk: Parameters<typeof write>) => {
        writes += 1;
        if (writes < 5) return write.apply(response, chunk);
        broken += 1;
        response.destroy();
        return false;
      }) as typeof write;
    };
    server.prependListener('request', breakOff);
    try {
      await page.goto('/posts/t3_000001');
      await page.getByRole('alert').waitFor();
      await shown(page, 200);
      expect(broken).toBe(3);
    } finally {
      server.off('request', breakOff);
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await shown(page, COMMENTS);
  });

  it('aborts the export when the reader leaves the page', async () => {
    const { page } = await dashboard.blank(workspace);
    await page.route(EXPORTS, () => undefined);
    await page.goto('/posts/t3_000001');
    await page.getByText('Loading comments: 0 of 10,000').waitFor();
    const ended = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/exports/comments?'),
    );
    await page.getByRole('link', { name: 'Search these comments' }).click();
    expect((await ended).failure()!.errorText).toBe('net::ERR_ABORTED');
  });

  it('shows comments stored meanwhile, and continues after the rows of an export', async () => {
    const { page } = await dashboard.blank(workspace);
    await page.route(/created_after/, async (route) => {
      await storeComments(dashboard.service, workspace.workspaceId, [
        aComment(COMMENTS, { body: 'Arrived meanwhile', createdUtc: aComment(COMMENTS - 1).createdUtc }),
        aComment(COMMENTS + 1, { parentId: aComment(0).commentId, body: 'A late answer' }),
      ]);
      await route.continue();
    });
    await page.goto('/posts/t3_000001');
    await shown(page, COMMENTS + 2);
    await page.getByText('10,002 comments stored').waitFor();
    // After the first chain, which replies to the same comment.
    const answer = page.locator('main ol > li[aria-posinset="6"]');
    expect(await answer.textContent()).toContain('A late answer');
  });

  it('says whether a post without stored comments had any', async () => {
    await storePosts(dashboard.service, workspace.workspaceId, [
      aPost(3, { numComments: 0 }),
      aPost(4, { numComments: 5 }),
    ]);
    const { page } = await dashboard.blank(workspace);
    await page.goto('/posts/t3_000003');
    await page.getByText('This post had no comments when it was collected.').waitFor();
    await page.goto('/posts/t3_000004');
    await page.getByText('Start a scrape that includes comments to collect them.').waitFor();
  });

  it('shows the comments with the highest score first, and why some are missing', async () => {
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(5, { numComments: 4 })]);
    const post = { postId: 't3_000005', parentId: 't3_000005' };
    await storeComments(dashboard.service, workspace.workspaceId, [
      aComment(30_000, { ...post, score: 1, body: 'Written first' }),
      aComment(30_001, { ...post, score: 7, body: 'Liked most' }),
      aComment(30_002, { ...post, parentId: aComment(30_001).commentId, score: 3, body: 'A reply' }),
    ]);
    const { page } = await dashboard.blank(workspace);
    await page.goto('/posts/t3_000005');
    await page.getByText('The platform counted 4 comments, 1 more than are stored').waitFor();
    await page.getByLabel('Order of the comments').selectOption('Highest score first');
    const bodies = page.locator('main ol > li p[dir=auto]');
    await expectSoon(() => bodies.allInnerTexts(), ['Liked most', 'A reply', 'Written first']);
  });

  it('reads a short thread without an export', async () => {
    const { page } = await dashboard.blank(workspace);
    await storeComments(
      dashboard.service,
      workspace.workspaceId,
      Array.from({ length: 200 }, (_, number) => aComment(20_000 + number, { postId: 't3_000002' })),
    );
    let exports = 0;
    page.on('request', (request) => {
      if (request.url().includes('/exports/')) exports += 1;
    });
    await page.goto('/posts/t3_000002');
    await shown(page, 200);
    expect(exports).toBe(0);
  });
});

const refuse = (route: Route, status: 403 | 429): Promise<void> =>
  route.fulfill({
    status,
    contentType: 'application/problem+json',
    headers: { 'Retry-After': '0' },
    json: {
      ...REFUSAL,
      status,
      code: status === 403 ? 'insufficient_scope' : 'too_many_concurrent_requests',
    },
  });
