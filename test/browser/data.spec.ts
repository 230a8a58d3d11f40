import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication } from '../support/application.js';
import { Dashboard, expectSoon, focused, typeCommand } from './browser.js';

const POSTS = 60;

/** First pixels and widths of the bars of the chart, from the line of pixels that has most of them. */
const BARS = `(() => {
  const canvas = document.querySelector('figure canvas');
  if (canvas === null) return [];
  const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const probe = document.createElement('span');
  probe.style.color = 'var(--accent)';
  document.body.append(probe);
  const colour = getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).join();
  let most = [];
  for (let y = 0; y < height; y += 1) {
    const bars = [];
    let inside = false;
    for (let x = 0; x < width; x += 1) {
      const isBar = data.slice(4 * (y * width + x), 4 * (y * width + x) + 3).join() === colour;
      if (isBar && inside) bars.at(-1).width += 1;
      else if (isBar) bars.push({ x, width: 1 });
      inside = isBar;
    }
    if (bars.length > most.length) most = bars;
  }
  return most;
})()`;

describe('exports and trends in the dashboard', () => {
  const dashboard = new Dashboard(() => startTestApplication({ ROLES: 'api,worker' }));

  async function withPosts(path: string): Promise<Page> {
    const workspace = await dashboard.service.createWorkspace();
    const posts = Array.from({ length: POSTS }, (_, number) => aPost(number));
    await storePosts(dashboard.service, workspace.workspaceId, posts);
    await storeComments(dashboard.service, workspace.workspaceId, [aComment(1), aComment(2)]);
    const { page } = await dashboard.signedIn(path, workspace);
    return page;
  }

  it('exports what a search finds, and downloads and deletes the file, with the mouse', async () => {
    const page = await withPosts('/search?forum=Technology');
    await page.getByText('20 results').waitFor();
    await page.getByText('Download as a file').click();
    await page.getByRole('link', { name: 'Export all rows' }).click();
    await page.getByLabel('Format').selectOption('JSON, one record per line');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const part = page.getByRole('link', { name: 'Download', exact: true });
    await part.waitFor();
    await page.getByText('Forum: Technology').waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the SHA-256' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^[0-9a-f]{64}$/);
    const downloading = page.waitForEvent('download');
    await part.click();
    const file = await (await downloading).path();
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(20);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No exports or datasets yet.').waitFor();
  });

  it('freezes a search, downloads the rows, and deletes them', async () => {
    const page = await withPosts('/search?q=batteries&forum=Technology');
    await page.getByText('20 results').waitFor();
    await page.getByText('Download as a file').click();
    await page.getByRole('link', { name: 'Freeze as a dataset' }).click();
    await page.getByLabel('Name').fill('A study');
    await page.getByRole('button', { name: 'Freeze', exact: true }).click();
    await page.getByRole('heading', { name: 'A study' }).waitFor();
    await page.getByText('Posts · Search words: batteries · Forum: Technology').waitFor();
    const part = page.getByRole('link', { name: 'Download', exact: true });
    await part.waitFor();
    const downloading = page.waitForEvent('download');
    await part.click();
    await downloading;
    await page.getByRole('button', { name: 'Delete: A study' }).click();
    await page.getByText('No exports or datasets yet.').waitFor();
  });

  it('downloads the comments that a search finds, as JSON lines, with the mouse', async () => {
    const page = await withPosts('/search?of=comments&max_score=1000');
    await page.getByText('2 results').waitFor();
    await page.getByText('Maximum score: 1,000').waitFor();
    await page.getByText('Download as a file').click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'JSON, one record per line' }).click();
    const file = await (await downloading).path();
    expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
  });

  it('finds posts by boolean and numeric filters, by keyboard alone', async () => {
    const page = await withPosts('/search');
    await page.getByText(`${POSTS} results`).waitFor();
    await page.getByLabel('Minimum comments').focus();
    await page.keyboard.type('1000000');
    await page.getByText('Nothing matches this search.').waitFor();
    await page.getByRole('button', { name: 'Remove filter Minimum comments' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(`${POSTS} results`).waitFor();
    await page.getByLabel('Adult content').focus();
    await page.keyboard.type('No');
    await page.getByText('Adult content: No').waitFor();
    expect(new URL(page.url()).searchParams.get('is_nsfw')).toBe('false');
  });

  it('shows the filters of an export as the search does', async () => {
    const page = await withPosts(
      '/search?q=batteries&from=2026-01-01&to=2026-01-02&has_media=false&min_score=0',
    );
    await page.getByText('Download as a file').click();
    await page.getByRole('link', { name: 'Export all rows' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const filters =
      'Search words: batteries · From: Jan 1, 2026 · Until: Jan 2, 2026 · Minimum score: 0 · With media: No';
    await page.getByText(filters).waitFor();
    await page.getByRole('link', { name: 'Open the search' }).click();
    await page.getByText('Search words').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe(
      '?q=batteries&from=2026-01-01&to=2026-01-02&min_score=0&has_media=false',
    );
  });

  it('offers only earlier exports with the same filters, each under another name', async () => {
    const page = await withPosts('/exports?create=yes&forum=Technology');
    for (const format of ['CSV (spreadsheet)', 'JSON']) {
      await page.getByLabel('Format').selectOption(format);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto('/exports?create=yes&forum=Technology');
    }
    await page.getByLabel('Only new or changed rows').waitFor();
    const choices = page.getByLabel('Only new or changed rows').getByRole('option');
    await expectSoon(async () => new Set(await choices.allInnerTexts()).size, 3);
    await page.getByRole('textbox', { name: 'Forum' }).fill('programming');
    await page.getByLabel('Only new or changed rows').waitFor({ state: 'detached' });
  });

  it('creates an export by keyboard alone', async () => {
    const page = await withPosts('/exports');
    await page.getByText('No exports or datasets yet.').waitFor();
    await typeCommand(page, 'create an export');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator(':focus').waitFor();
    await page.getByLabel('Search words').focus();
    await page.keyboard.type('10');
    await page.keyboard.press('Enter');
    await page.getByText('Search words: 10').waitFor();
    await page.getByText('Completed').waitFor();
  });

  it('compares two queries by keyboard alone and keeps them in the address', async () => {
    const page = await withPosts('/search');
    await page.getByText(`${POSTS} results`).waitFor();
    await page.getByRole('heading', { name: 'Search' }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Trends' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Query 1').focus();
    await page.keyboard.type('batteries');
    await page.getByRole('button', { name: 'Compare with another query' }).focus();
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('Query 2'));
    await page.keyboard.type('charging');
    await page.keyboard.press('Enter');
    await page.getByLabel('Period', { exact: true }).focus();
    await page.keyboard.type('All time');
    await page.getByRole('row', { name: /batteries 60/ }).waitFor();
    await page.getByRole('row', { name: /charging/ }).waitFor();
    await expectSoon(() => page.locator('main canvas').count(), 1);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ q1: 'batteries', q2: 'charging', period: 'all' });

    await page.reload();
    await page.getByRole('row', { name: /batteries 60/ }).waitFor();
  });

  it('shows sentiment and frequent keywords, which lead to a search', async () => {
    const page = await withPosts('/trends?period=all');
    await page.getByRole('heading', { name: 'Most frequent keywords' }).waitFor();
    await page.getByLabel('Measure').selectOption('Mean sentiment');
    await page.getByRole('heading', { name: 'Mean sentiment' }).waitFor();
    await page.getByRole('region', { name: 'Most frequent keywords' }).getByRole('link').first().click();
    await page.getByText(/Keyword: /).waitFor();
  });

  it('links a number of the trends to the posts of its period', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const ages = [1, 2, 40];
    await storePosts(
      dashboard.service,
      workspace.workspaceId,
      ages.map((days, number) => aPost(number, { createdUtc: new Date(Date.now() - days * 86_400_000) })),
    );
    const { page } = await dashboard.signedIn('/trends', workspace);
    await page
      .getByRole('row', { name: /Everything 2/ })
      .getByRole('link')
      .click();
    await page.getByText('2 results').waitFor();
    await page.goBack();
    await page
      .getByRole('region', { name: /Rising keywords/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('2 results').waitFor();
  });

  it('counts by the chosen interval, with the mouse', async () => {
    const page = await withPosts('/trends?period=all');
    await page.getByRole('row', { name: /Everything 60/ }).waitFor();
    const counted = page.waitForResponse(
      (response) => new URL(response.url()).searchParams.get('interval') === 'week',
    );
    await page.getByLabel('Interval').selectOption('By week');
    expect((await counted).ok()).toBe(true);
    await page.getByRole('row', { name: /Everything 60/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=all&interval=week');
  });

  it('splits one query by a value, which leads to its posts', async () => {
    const page = await withPosts('/trends?period=all&measure=sentiment');
    await page.getByLabel('Split by').selectOption('Forum');
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row('Technology').getByRole('cell', { name: '20', exact: true }).waitFor();
    await row('programming').getByRole('cell', { name: '40', exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?period=all&split=forum');
    await page.getByLabel('Split by').selectOption('Sentiment');
    await row('Positive').waitFor();

    await page.getByLabel('Split by').selectOption('Forum');
    await row('Technology').getByRole('link').click();
    await page.getByText('20 results').waitFor();
  });

  it('draws a bar for every hour with posts, each as wide as the hour', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const hours = [1, 2, 3];
    await storePosts(
      dashboard.service,
      workspace.workspaceId,
      hours.map((hour) => aPost(hour, { createdUtc: new Date(Date.UTC(2026, 0, 1, hour)) })),
    );
    const { page } = await dashboard.signedIn('/search', workspace);
    await page.getByRole('img', { name: /Results over time, by hour/ }).waitFor();
    const bars = (): Promise<{ x: number; width: number }[]> => page.evaluate(BARS);
    await expectSoon(async () => (await bars()).length, hours.length);
    const [first, second] = await bars();
    expect(first!.width / (second!.x - first!.x)).toBeCloseTo(0.9, 1);
  });
});
