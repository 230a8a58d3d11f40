import { Dashboard, expectSoon, violationsInAllViews } from './browser.js';

describe('the first load of the dashboard', () => {
  const dashboard = new Dashboard();

  it('shows the frame of a page while its scripts are loading', async () => {
    const { page, complaints } = await dashboard.unopened();
    await page.route('**/*.js', () => undefined);
    await page.goto('/search', { waitUntil: 'commit' });
    await page.getByText('Workspace Scraping Service').waitFor();
    await expectSoon(() => page.getByRole('status').textContent(), 'Loading');
    expect(await violationsInAllViews(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('requests the session while its scripts are loading', async () => {
    const { page } = await dashboard.unopened();
    await page.route('**/*.js', () => undefined);
    const asked = page.waitForRequest('**/api/v1/session');
    await page.goto('/search', { waitUntil: 'commit' });
    await asked;
  });

  it('requests the session and the list of a search once each', async () => {
    const { page } = await dashboard.signedIn('/settings');
    const asked: string[] = [];
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (/\/(session|posts)$/.test(path)) asked.push(path.split('/').at(-1)!);
    });
    await page.goto('/search?q=nothing');
    await page.getByText('No post matches “nothing”.').waitFor();
    expect(asked).toEqual(['session', 'posts']);
  });

  it('says that the service cannot be reached, and continues after a retry', async () => {
    const { page } = await dashboard.blank();
    await page.route('**/api/v1/session', (route) => route.abort());
    await page.goto('/search?q=nothing');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/api/v1/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No post matches “nothing”.').waitFor();
  });
});
