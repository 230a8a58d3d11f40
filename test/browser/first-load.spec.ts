import { Dashboard, violationsInAllViews } from './browser.js';

describe('the first load of the dashboard', () => {
  const dashboard = new Dashboard();

  it('shows the frame of a page while its scripts are on their way', async () => {
    const { page, complaints } = await dashboard.visit();
    await page.route('**/*.js', () => undefined);
    await page.goto('/search', { waitUntil: 'commit' });
    await page.getByText('Workspace Scraping Service').waitFor();
    expect(await page.getByRole('status').textContent()).toBe('Loading');
    expect(await violationsInAllViews(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
