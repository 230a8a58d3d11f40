import type { Page } from 'playwright-core';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import type { TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { Dashboard, expectSoon, violationsInAllViews } from './browser.js';

const TITLE =
  'A consumer group says that the batteries of most phones lose a fifth of their charge within two years of use';
const TEXT =
  'The **report** names [its tests](https://example.org/tests) and [a trap](javascript:alert(1)).\n\n> quoted\n\n<img src=x onerror=alert(1)>';

describe('the search in the dashboard', () => {
  const dashboard = new Dashboard();
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [
      ...Array.from({ length: 8 }, (_, number) => aPost(number)),
      aPost(20, { title: TITLE, selftext: TEXT, forum: 'science', author: 'ann' }),
    ]);
    await storeComments(dashboard.service, workspace.workspaceId, [aComment(1, { postId: aPost(20).id })]);
  });

  const open = async (path: string, given = workspace): Promise<Page> =>
    (await dashboard.signedIn(path, given)).page;
  const results = (page: Page, count: number): Promise<void> =>
    page.getByText(count === 1 ? '1 result' : `${count} results`, { exact: true }).waitFor();

  it('shows the whole title of a result, with the found words marked', async () => {
    const page = await open('/search?q=charge+two');
    const title = page.getByRole('heading', { name: TITLE });
    await title.waitFor();
    await expectSoon(() => title.locator('mark').allInnerTexts(), ['charge', 'two']);
  });

  it('chooses several values of a facet, and excludes one, by keyboard alone', async () => {
    const page = await open('/search?forum=science');
    await results(page, 1);
    await page.getByRole('checkbox', { name: /Technology/ }).focus();
    await page.keyboard.press('Space');
    await results(page, 4);
    expect(new URL(page.url()).searchParams.getAll('forum')).toEqual(['science', 'Technology']);
    await page.getByRole('button', { name: 'Exclude science' }).focus();
    await page.keyboard.press('Enter');
    await results(page, 3);
    await page.getByRole('button', { name: 'Remove filter Forum: Technology' }).click();
    await results(page, 8);
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.reload();
    await page.getByText('Forum: not science').waitFor();
  });

  it('filters by a forum that is typed, with those of the sources as choices', async () => {
    const own = await dashboard.service.createWorkspace();
    const posts = Array.from({ length: 8 }, (_, number) => aPost(number, { forum: `forum${number % 7}` }));
    await storePosts(dashboard.service, own.workspaceId, posts);
    const page = await open('/search', own);
    await results(page, 8);
    await page.getByRole('button', { name: 'More values: Forum' }).click();
    await page.locator('datalist option[value="forum3"]').waitFor({ state: 'attached' });
    await page.locator('datalist option[value="hn:ask"]').waitFor({ state: 'attached' });
    await page.keyboard.type('forum0');
    await page.keyboard.press('Enter');
    await results(page, 2);
    await page.keyboard.type('hn:ask');
    await page.getByText('Not among the most frequent values.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Forum: hn:ask').waitFor();
    expect(new URL(page.url()).searchParams.getAll('forum')).toEqual(['forum0', 'hn:ask']);
  });

  it('ignores parameters of the address that it does not know', async () => {
    const page = await open('/search?utm_source=mail&q=batteries&limit=1');
    await results(page, 9);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says what of a query is not searched as it was written', async () => {
    const page = await open('/search?q=colour:red');
    await page.getByText('is unknown, so it is searched as text.').waitFor();
    await page.getByText('Search syntax').click();
    await page.getByText('author:ann*').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('reads the results beside the list, by keyboard alone', async () => {
    const page = await open('/search?sort_by=score');
    await results(page, 9);
    await page.keyboard.press('ArrowDown');
    const panel = page.getByRole('complementary', { name: 'Preview' });
    await panel.getByText('Result 1', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await panel.getByText('Result 2', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('preview')).toMatch(/^t3_/);
    await page.keyboard.press('k');
    await panel.getByText('Result 1', { exact: true }).waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
  });

  it('renders the text of a stranger, and nothing that it could execute', async () => {
    const page = await open(`/search?forum=science&preview=${aPost(20).id}`);
    const panel = page.getByRole('complementary', { name: 'Preview' });
    await panel.locator('strong', { hasText: 'report' }).waitFor();
    await expectSoon(
      () => panel.getByRole('link', { name: 'its tests' }).getAttribute('href'),
      'https://example.org/tests',
    );
    expect(await panel.getByRole('link', { name: 'a trap' }).count()).toBe(0);
    await panel.getByText('<img src=x onerror=alert(1)>').waitFor();
  });

  it('filters by the forum and the author of a result', async () => {
    const page = await open('/search?q=consumer');
    await page.getByRole('link', { name: 'science', exact: true }).click();
    await page.getByText('Forum: science', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'ann', exact: true }).click();
    await page.getByText('Author: ann', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=consumer&forum=science&author=ann');
  });

  it('names the post and the forum of a comment', async () => {
    const page = await open('/search?of=comments');
    await page.getByRole('link', { name: `on “${TITLE}”` }).waitFor();
    await page.getByRole('link', { name: 'science', exact: true }).waitFor();
  });

  it('saves a search, which the navigation shows with its new results', async () => {
    const own = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, own.workspaceId, [aPost(1), aPost(2)]);
    const { page } = await dashboard.signedIn('/search?q=batteries&min_score=0', own);
    await results(page, 2);
    const saved = page.getByRole('region', { name: 'Saved searches' });
    await saved.getByText('None yet.').waitFor();
    await page.getByRole('button', { name: 'Save the search' }).click();
    await page.getByLabel('Name').fill('All batteries');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const link = page
      .getByRole('list', { name: 'Saved searches' })
      .getByRole('link', { name: /All batteries/ });
    await link.waitFor();
    await storePosts(dashboard.service, own.workspaceId, [aPost(3), aPost(4), aPost(5)]);
    await page.goto('/trends');
    await page.getByRole('link', { name: 'All batteries 3 new' }).click();
    await results(page, 5);
    expect(new URL(page.url()).search).toBe('?q=batteries&min_score=0');
    await page.getByLabel('Saved search: All batteries').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Feed', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Create addresses' }).click();
    const address = new URL(await page.getByLabel('Atom address').inputValue()).pathname;
    const readFeed = async () => (await fetch(`${dashboard.service.url}${address}`)).status;
    expect(await readFeed()).toBe(200);
    await page.getByRole('button', { name: 'End the feed' }).click();
    await page.getByText('The feed ended.').waitFor();
    await expectSoon(readFeed, 404);
    await page.keyboard.press('Escape');
    await page.goto('/search?q=batteries&min_score=0');
    await page.getByLabel('Saved search: All batteries').waitFor();
    await page.getByRole('button', { name: /^Order/ }).click();
    await page.getByRole('button', { name: 'Save the search' }).waitFor();
    await page.getByLabel('Saved search: All batteries').press('Enter');
    await page.getByRole('button', { name: 'Update to this search' }).press('Enter');
    await page.getByText('Updated.').waitFor();
    await page.getByLabel('Saved search: All batteries').press('Enter');
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Delete the saved search' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the saved search' }).click();
    await expectSoon(() => link.count(), 0);
    await saved.getByRole('link', { name: 'Try the example' }).click();
    await page.waitForURL('**/search?q=battery+OR+charger');
    await results(page, 5);
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  describe('of an open saved search', () => {
    const isStream = (request: { url: () => string }): boolean => request.url().endsWith('/stream');
    let own: TestWorkspace;
    let page: Page;
    const store = (...numbers: number[]) =>
      storePosts(
        dashboard.service,
        own.workspaceId,
        numbers.map((number) => aPost(number)),
      );
    const show = (state: 'hidden' | 'visible'): Promise<void> =>
      page.evaluate<void>(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`);

    beforeEach(async () => {
      own = await dashboard.service.createWorkspace();
      await store(1, 2);
      await call(dashboard.service, own, 'POST', '/searches', { name: 'All', of: 'posts', q: 'batteries' });
      page = await open('/trends', own);
      const listening = page.waitForResponse(isStream);
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await results(page, 2);
      await listening;
    });

    it('counts new results, and loads them on demand', async () => {
      await store(3, 4);
      const load = page.getByRole('button', { name: '2 new results' });
      await load.waitFor();
      await page.getByRole('link', { name: 'All 2 new' }).waitFor();
      await results(page, 2);
      expect(await violationsInAllViews(page)).toEqual([]);
      await load.click();
      await results(page, 4);
      await load.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'All', exact: true }).waitFor();
    });

    it('does not listen while the page is hidden, and misses nothing', async () => {
      const ended = page.waitForEvent('requestfailed', isStream);
      await show('hidden');
      await ended;
      await store(3, 4, 5);
      const continued = page.waitForRequest(isStream);
      await show('visible');
      expect((await continued).headers()['last-event-id']).toMatch(/^\d+\.\d+\.\d+$/);
      await page.getByRole('button', { name: '3 new results' }).waitFor();
      await results(page, 2);
    });
  });
});
