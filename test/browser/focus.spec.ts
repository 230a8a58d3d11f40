import { aPost, storePosts } from '../factories/posts.js';
import { call } from '../support/client.js';
import { choose, Dashboard, expectSoon, focused, violationsInAllViews, typeCommand } from './browser.js';

describe('focus, menus and history of the dashboard', () => {
  const dashboard = new Dashboard();

  async function withAlert() {
    const workspace = await dashboard.service.createWorkspace();
    await call(dashboard.service, workspace, 'POST', '/alerts', { name: 'Batteries', keywords: ['battery'] });
    return dashboard.signedIn('/alerts', workspace);
  }

  /** Posts of the last hour: without a choice, the trends show the shortest period that has data. */
  async function withPosts(path: string) {
    const workspace = await dashboard.service.createWorkspace();
    const now = Date.now();
    await storePosts(
      dashboard.service,
      workspace.workspaceId,
      Array.from({ length: 20 }, (_, number) =>
        aPost(number, { createdUtc: new Date(now - number * 60_000) }),
      ),
    );
    return dashboard.signedIn(path, workspace);
  }

  it('moves the focus to the page when a record was deleted', async () => {
    const { page } = await withAlert();
    await choose(page, 'Delete', 'Batteries');
    await page.getByText('No alerts yet.').waitFor();
    await focused(page.locator('#main'));
  });

  it('keeps the filters and the field of the list of jobs', async () => {
    const { page } = await dashboard.signedIn('/jobs?status=failed');
    const field = page.getByLabel('Forum or user');
    await field.fill('technology');
    await page.keyboard.press('Enter');
    await page.waitForURL(/target=technology/);
    await page.getByText('No job matches these filters.').waitFor();
    await focused(field);
    await page.getByRole('button', { name: 'Start a scrape' }).click();
    await page.waitForURL(/create=yes/);
    await focused(page.getByLabel('Forum or user name'));
    await page.keyboard.press('Escape');
    await page.waitForURL(/status=failed&target=technology$/);
  });

  it('opens the formats of a file within a narrow screen, and closes them', async () => {
    const { page } = await withPosts('/search');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByText('20 results').waitFor();
    await page.getByText('Download as a file').click();
    const hint = page.getByText('Up to 10,000 rows');
    await hint.waitFor();
    const menu = await hint.locator('..').boundingBox();
    expect(menu!.x).toBeGreaterThanOrEqual(0);
    expect(menu!.x + menu!.width).toBeLessThanOrEqual(360);
    // Clicks an element that takes no focus; elsewhere the loss of focus would close the menu too.
    await page.mouse.click(180, 2);
    await hint.waitFor({ state: 'hidden' });
  });

  it('returns to the trends as they were', async () => {
    const { page } = await withPosts('/trends');
    const period = page.getByLabel('Period', { exact: true });
    await period.selectOption('Last 90 days');
    await page.waitForURL(/period=90/);
    await page.goBack();
    await page.waitForURL(/trends$/);
    await expectSoon(() => period.inputValue(), '30');
  });

  it('keeps the input of a dialog when the command shortcuts are pressed', async () => {
    const { page } = await dashboard.signedIn('/alerts');
    await page.getByText('No alerts yet.').waitFor();
    // Loads the code of the commands now, so that a shortcut would open them at once.
    await typeCommand(page, 'create an alert');
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('Look for'));
    await page.keyboard.type('Batteries');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Tab');
    await page.getByLabel('Look for').and(page.locator(':not(:focus)')).waitFor();
    await page.getByRole('dialog').locator(':focus').waitFor();
    await expectSoon(() => page.getByRole('dialog').count(), 1);
    await expectSoon(() => page.getByLabel('Look for').inputValue(), 'Batteries');
  });

  it('finds saved searches, alerts and jobs by name, and searches for anything else', async () => {
    const { page, workspace } = await withPosts('/settings');
    const post = (path: string, body: object) => call(dashboard.service, workspace, 'POST', path, body);
    await post('/alerts', { name: 'Batteries', keywords: ['battery'] });
    await post('/searches', { name: 'All batteries', of: 'posts', q: 'batteries' });
    await page.reload();
    await typeCommand(page, 'batter');
    await page.getByRole('option', { name: 'Saved search: All batteries' }).waitFor();
    await page.getByRole('option', { name: 'Alert: Batteries' }).click();
    await page.waitForURL('**/alerts/*');
    await typeCommand(page, 'Charging');
    await page.getByRole('option', { name: 'Search for “Charging”' }).waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=Charging');
    await typeCommand(page, 'batteries');
    await page.getByRole('option', { name: 'Post: Post 1 about batteries, programming' }).click();
    await page.waitForURL(`**/posts/${aPost(1).id}`);
  });

  it('leaves the focus in the palette when a page is shown late', async () => {
    const { page } = await withPosts('/settings');
    let show!: () => void;
    const isShown = new Promise<void>((done) => (show = done));
    await page.route('**/search-page*.js', async (route) => {
      await isShown;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await typeCommand(page, '');
    show();
    await page.getByText('20 results').waitFor({ state: 'attached' });
    await focused(page.getByLabel('Find a command'));
  });

  it('scrolls the chosen command into view, and opens the first steps', async () => {
    const { page } = await withPosts('/search');
    await page.getByText('20 results').waitFor();
    await page.setViewportSize({ width: 1280, height: 400 });
    await typeCommand(page, '');
    const field = page.getByLabel('Find a command');
    const options = page.getByRole('option');
    const last = (await options.count()) - 1;
    for (let step = 0; step < last; step += 1) await page.keyboard.press('ArrowDown');
    const [place, box] = await Promise.all([
      page.getByRole('listbox').boundingBox(),
      options.nth(last).boundingBox(),
    ]);
    expect(box!.y + box!.height).toBeLessThanOrEqual(place!.y + place!.height);
    await expectSoon(() => field.isVisible(), true);
    await field.fill('first steps');
    await page.keyboard.press('Enter');
    await page.getByText('This workspace has 20 posts.').waitFor();
  });

  it('does not call a workspace empty whose posts could not be counted', async () => {
    const { page } = await dashboard.blank();
    await page.route('**/usage', (route) => route.fulfill({ status: 400, body: '{}' }));
    await page.goto('/start');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('This workspace is empty.').count()).toBe(0);
  });
});
