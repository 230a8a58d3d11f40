import { aComment, type NewComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { Dashboard } from './browser.js';

const COMMENTS = 10_000;
const STORED_AT_ONCE = 1_000;
/** Most comments in the page at a time: what fits a screen, and some above and below. */
const MOST_RENDERED = 60;

/** A thread of chains of five, each comment below the one before. */
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

describe('a thread of 10,000 comments', () => {
  const dashboard = new Dashboard();

  it('shows its beginning while the rest is read, and keeps few of them in the page, also at its end and when it is collapsed', async () => {
    const workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [aPost(1)]);
    const comments = thread();
    for (let first = 0; first < COMMENTS; first += STORED_AT_ONCE)
      await storeComments(
        dashboard.service,
        workspace.workspaceId,
        comments.slice(first, first + STORED_AT_ONCE),
      );
    const { page } = await dashboard.signedIn('/settings', workspace);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/sort_by=created_utc.*cursor=[^&]/, (route) => released.then(() => route.continue()));
    let inThreadOrder = 0;
    page.on('request', (request) => {
      if (request.url().includes('sort_by=thread')) inThreadOrder += 1;
    });
    await page.goto('/posts/t3_000001');
    await page.getByText('10,000 comments stored').waitFor();
    const rendered = page.locator('main ol > li');
    await page.locator('main ol > li[aria-setsize="200"]').first().waitFor();
    release();
    await page.locator(`main ol > li[aria-setsize="${COMMENTS}"]`).first().waitFor();
    expect(await rendered.count()).toBeLessThan(MOST_RENDERED);
    expect(inThreadOrder).toBe(1);

    // Heights of rows are measured when they are drawn, so that the end of the page moves while it is approached.
    const last = page.locator(`main ol > li[aria-posinset="${COMMENTS}"]`);
    while (!(await last.isVisible())) {
      await page.keyboard.press('End');
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      expect(await rendered.count()).toBeLessThan(MOST_RENDERED);
    }

    await page.getByRole('button', { name: 'Collapse all' }).press('Enter');
    await page
      .locator(`main ol > li[aria-setsize="${COMMENTS / 5}"]`)
      .first()
      .waitFor();
    expect(await rendered.count()).toBeLessThan(MOST_RENDERED);
  });
});
