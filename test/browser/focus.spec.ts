import { aPost, storePosts } from '../factories/posts.js';
import { call } from '../support/client.js';
import { Dashboard, focused } from './browser.js';

describe('focus, menus and history of the dashboard', () => {
  const dashboard = new Dashboard();

  async function withAlert() {
    const workspace = await dashboard.service.createWorkspace();
    await call(dashboard.service, workspace, 'POST', '/alerts', { name: 'Batteries', keywords: ['battery'] });
    return dashboard.signedIn('/alerts', workspace);
  }

  async function withPosts(path: string) {
    const workspace = await dashboard.service.createWorkspace();
    await storePosts(
      dashboard.service,
      workspace.workspaceId,
      Array.from({ length: 20 }, (_, number) => aPost(number)),
    );
    return dashboard.signedIn(path, workspace);
  }

  it('leaves the focus on a button while what it started runs', async () => {
    const { page } = await withAlert();
    await page.getByRole('button', { name: 'Pause: Batteries' }).focus();
    await page.keyboard.press('Enter');
    await focused(page.getByRole('button', { name: 'Resume: Batteries' }));
  });

  it('gives the focus to the page when the record of a dialog was deleted', async () => {
    const { page } = await withAlert();
    await page.getByRole('button', { name: 'Delete: Batteries' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
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
    await page.keyboard.press('Escape');
    await page.waitForURL(/status=failed&target=technology$/);
  });

  it('opens the formats of a file within a narrow screen, and closes them by a click elsewhere', async () => {
    const { page } = await withPosts('/search');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByText('20 results').waitFor();
    await page.getByText('Save as file').click();
    const hint = page.getByText('At most 10,000 rows');
    await hint.waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    await page.mouse.click(4, 700);
    await hint.waitFor({ state: 'hidden' });
  });

  it('goes back to the trends as they were', async () => {
    const { page } = await withPosts('/trends');
    const period = page.getByLabel('Period', { exact: true });
    await period.selectOption('Last 90 days');
    await page.waitForURL(/period=90/);
    await page.goBack();
    await page.waitForURL(/trends$/);
    expect(await period.inputValue()).toBe('30');
  });

  it('does not call a workspace empty whose posts could not be counted', async () => {
    const { page } = await dashboard.signedIn('/settings');
    await page.route('**/usage', (route) => route.fulfill({ status: 400, body: '{}' }));
    await page.goto('/start');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await page.getByText('This workspace is empty.').count()).toBe(0);
  });
});
