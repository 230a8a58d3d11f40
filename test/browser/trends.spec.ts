import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { call } from '../support/client.js';
import { Dashboard, expectSoon, focused, violationsInAllViews } from './browser.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('what trends show beside the lines', () => {
  const dashboard = new Dashboard();
  const ago = (milliseconds: number): Date => new Date(Date.now() - milliseconds);

  /** Three posts of the last week, two of the week before. */
  async function withWeeks() {
    const workspace = await dashboard.service.createWorkspace();
    const days = [1, 2, 3, 8, 9];
    await storePosts(
      dashboard.service,
      workspace.workspaceId,
      days.map((day, number) =>
        aPost(number, {
          createdUtc: ago(day * DAY_MS),
          sentimentLabel: number === 0 ? 'negative' : 'positive',
        }),
      ),
    );
    return workspace;
  }

  it('compare a query with the period before', async () => {
    const { page } = await dashboard.signedIn('/trends?period=7', await withWeeks());
    await page.getByRole('row', { name: /Everything 3 \+1 \(\+50%\)/ }).waitFor();
    await page.getByRole('group', { name: /Values over time/ }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/Everything: \d+ \(before: \d+\)/).waitFor();
  });

  it('compare two brands four clicks after signing in', async () => {
    const { page } = await dashboard.signedIn('/', await withWeeks());
    let clicks = 0;
    const click = async (role: 'link' | 'button' | 'textbox', name: string): Promise<void> => {
      clicks += 1;
      await page.getByRole(role, { name, exact: true }).click();
    };
    await click('link', 'Trends');
    await click('textbox', 'Query 1');
    await page.keyboard.type('batteries');
    await click('button', 'Compare with another query');
    await focused(page.getByLabel('Query 2'));
    await page.keyboard.type('minute');
    await click('button', 'Show');
    await page.getByRole('row', { name: /batteries 5/ }).waitFor();
    await page.getByRole('row', { name: /minute/ }).waitFor();
    await page.locator('main canvas').waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('lead a workspace without posts to its first scrape', async () => {
    const { page } = await dashboard.signedIn('/trends');
    await page.getByText('Nothing to count yet.').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
    await page.getByRole('link', { name: 'Start a scrape' }).click();
    await page.getByRole('heading', { name: 'Collect your first posts' }).waitFor();
  });

  it('stack sentiments, and stay accessible', async () => {
    const { page } = await dashboard.signedIn('/trends?period=7&split=sentiment', await withWeeks());
    await page.getByRole('row', { name: /Negative 1 33%/ }).waitFor();
    await page.getByRole('row', { name: /Positive 2 67%/ }).waitFor();
    await page.locator('main canvas').waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('mark a spike with what caused it, and lead to its posts', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const quiet = Array.from({ length: 85 }, (_, day) =>
      aPost(day, { createdUtc: new Date(midnight - day * DAY_MS - 11 * HOUR_MS) }),
    );
    const loud = Array.from({ length: 120 }, (_, number) =>
      aPost(1_000 + number, {
        title: `Recall of chargers from Acme after a fire in Rotterdam ${number}`,
        selftext: 'Acme recalls the charger after a fire in a Rotterdam warehouse, owners should return it',
        keywords: ['recall'],
        createdUtc: new Date(midnight - 5 * DAY_MS + 12 * HOUR_MS + number),
      }),
    );
    await storePosts(dashboard.service, workspace.workspaceId, [...quiet, ...loud]);
    const { page } = await dashboard.signedIn('/trends?period=90', workspace);
    const spikes = page.getByRole('region', { name: 'What happened' });
    await spikes
      .getByText(/recall/)
      .first()
      .waitFor();
    const link = spikes.getByRole('link', { name: /instead of about/ });
    const count = Number.parseInt((await link.textContent()) ?? '', 10);
    expect(count).toBeGreaterThanOrEqual(loud.length);
    await spikes.getByText('Story:').waitFor();
    await link.click();
    await page.getByText(`${count} results`).waitFor();
  });

  it('show shares of voice with their intervals, and every value in a table', async () => {
    const address = '/trends?period=7&q1=batteries&q2=title:2&measure=share';
    const { page } = await dashboard.signedIn(address, await withWeeks());
    await page.getByRole('heading', { name: 'Share of voice' }).waitFor();
    await page.getByRole('row', { name: /batteries 3 \+1 \(\+50%\) 75% 36%–94%/ }).waitFor();
    await page.getByText('Show the values as a table').click();
    await page.getByRole('row', { name: /, not over yet/ }).waitFor();
    await page
      .getByRole('row', { name: /100% \(\d+%–100%\)/ })
      .first()
      .waitFor();
    expect(await violationsInAllViews(page)).toEqual([]);
  });

  it('are split by source, and into posts and comments', async () => {
    const workspace = await withWeeks();
    await storeComments(dashboard.service, workspace.workspaceId, [
      aComment(1, { createdUtc: ago(DAY_MS) }),
      aComment(2, { createdUtc: ago(2 * DAY_MS) }),
    ]);
    const { page } = await dashboard.signedIn('/trends?period=7', workspace);
    await page.getByLabel('Split by').selectOption('Source');
    await page.getByRole('row', { name: /Reddit 3/ }).waitFor();
    await page.getByLabel('Split by').selectOption('Posts and comments');
    await page.getByRole('row', { name: /Posts 3 \+1/ }).waitFor();
    await page
      .getByRole('row', { name: /Comments 2/ })
      .getByRole('link')
      .click();
    await page.getByText('2 results').waitFor();
  });

  it('lead to the weekly report', async () => {
    const workspace = await withWeeks();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/alerts', {
      name: 'A',
      keywords: ['battery'],
    });
    const { page } = await dashboard.signedIn('/trends?period=7', workspace);
    await page.getByRole('link', { name: 'Create a weekly report' }).waitFor();
    await call(dashboard.service, workspace, 'POST', '/reports', {
      name: 'Each Monday',
      alerts: [id],
      every: 'week',
    });
    await page.reload();
    await page.getByRole('link', { name: 'Weekly report' }).click();
    await page.getByRole('heading', { name: 'Each Monday' }).waitFor();
  });

  it('are shown by a read-only link to people without an account, until it ends', async () => {
    const { page } = await dashboard.signedIn('/trends?q1=batteries&period=7', await withWeeks());
    await page.getByRole('button', { name: 'Pin to Home' }).click();
    await page.getByRole('button', { name: 'Read-only link' }).click();
    await page.getByText('There is no link.').waitFor();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const address = await page.getByLabel('Address of the chart').inputValue();
    await page.getByRole('button', { name: 'Copy the read-only link' }).click();
    expect(await violationsInAllViews(page)).toEqual([]);
    const guest = (await dashboard.visit('/shared/trends')).page;
    await guest.getByText('This link shows nothing any more.').waitFor();
    await guest.goto(address);
    await guest.getByRole('heading', { name: 'batteries' }).waitFor();
    await guest.locator('main canvas').waitFor();
    await guest.getByText('3', { exact: true }).waitFor();
    await guest.getByText(/^The link ends on/).waitFor();
    await guest.getByText('Show the values as a table').click();
    await guest.getByRole('table').waitFor();
    expect(await guest.getByRole('row').count()).toBeGreaterThan(7);
    expect(await guest.getByRole('link').count()).toBe(0);
    expect(await violationsInAllViews(guest)).toEqual([]);
    await page.getByRole('button', { name: 'End the link' }).click();
    await page.getByText('There is no link.').waitFor();
    await guest.reload();
    await guest.getByText('This link shows nothing any more.').waitFor();
  });

  it('are pinned to the Home of all members, and removed there', async () => {
    const workspace = await withWeeks();
    const { page } = await dashboard.signedIn('/trends?q1=batteries&period=7', workspace);
    await page.getByRole('button', { name: 'Pin to Home' }).click();
    await page.getByRole('link', { name: /^Home/ }).click();
    const pinned = page.getByRole('list', { name: 'Pinned trends' });
    await pinned.getByRole('link', { name: 'batteries' }).waitFor();
    await pinned.getByText('3', { exact: true }).waitFor();
    const other = (await dashboard.signedIn('/', workspace)).page;
    const seen = other.getByRole('list', { name: 'Pinned trends' });
    await seen.getByRole('link', { name: 'batteries' }).click();
    await other.getByRole('button', { name: 'On Home', pressed: true }).waitFor();
    await page.reload();
    await pinned.getByRole('button', { name: 'Remove from Home: batteries' }).click();
    await expectSoon(() => pinned.count(), 0);
  });
});
