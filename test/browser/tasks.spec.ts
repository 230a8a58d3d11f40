import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../src/sandbox/server/sandbox.js';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { scrapingFrom } from '../support/sandbox.js';
import { Dashboard, expectSoon, focused, typeCommand } from './browser.js';

const POSTS = 60;

describe('the tasks of the dashboard', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    // Slow enough to watch the progress of a job.
    sandbox = await startSandbox({ latencyMs: 250 });
  });
  const dashboard = new Dashboard(() =>
    startTestApplication({
      ...scrapingFrom(sandbox.baseUrl),
      HACKERNEWS_API_URL: `${sandbox.baseUrl}/hackernews/api/v1`,
      PLATFORM_IS_SYNTHETIC: 'true',
    }),
  );
  afterAll(() => sandbox.close());

  async function withPosts(path: string): Promise<{ page: Page; workspace: TestWorkspace }> {
    const workspace = await dashboard.service.createWorkspace();
    const posts = Array.from({ length: POSTS }, (_, number) => aPost(number));
    await storePosts(dashboard.service, workspace.workspaceId, posts);
    await storeComments(dashboard.service, workspace.workspaceId, [
      aComment(1),
      aComment(2, { depth: 1, parentId: aComment(1).commentId, body: 'The only reply' }),
      aComment(3),
      aComment(4, { postId: 't3_000002', parentId: 't3_000002' }),
    ]);
    const { page } = await dashboard.signedIn(path, workspace);
    return { page, workspace };
  }

  it('guides from an empty workspace to its first posts, with visible progress', async () => {
    const { page } = await dashboard.signedIn();
    await page.getByRole('heading', { name: 'Collect your first posts' }).waitFor();
    await page.getByText('Reddit forums hold synthetic data here').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('[data-counter="Comments"]').waitFor();
    // The page itself notes what it shows, because some of it is gone before a test could ask.
    await page.evaluate<void>(`
      window.seen = new Set();
      new MutationObserver(() => {
        const counter = document.querySelector('[data-counter="Comments"]');
        if (counter !== null) seen.add(counter.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
    await page.getByText('Completed').waitFor();
    expect(await page.evaluate<number>('seen.size')).toBeGreaterThan(2);
    await page.getByRole('heading', { name: 'Collected technology' }).waitFor();
    await page.getByRole('button', { name: 'Try another source' }).click();
    await page.getByRole('heading', { name: 'Collect more posts' }).waitFor();
    await page.getByText('This workspace has 50 posts.').waitFor();
    await page.getByRole('link', { name: 'Search the posts' }).click();
    await page.getByText('50 results').waitFor();
  });

  it('hears the first mention of a word two clicks after it was typed', async () => {
    const { page, workspace } = await dashboard.signedIn();
    await page.getByLabel('Word, name or sentence').fill('battery life');
    await page.getByRole('button', { name: 'Continue' }).click();
    const choice = page.getByRole('group', { name: 'What counts as a mention?' });
    await expectSoon(() => choice.getByRole('radio', { checked: true }).count(), 1);
    await page.getByText('Listens to Hacker News, Bluesky').waitFor();
    await page.getByRole('button', { name: 'Listen', exact: true }).click();
    await page.getByRole('heading', { name: 'hn:search/battery life' }).waitFor();
    await page.getByRole('article').first().waitFor();
    const mentions = async (): Promise<boolean> => {
      const { matches } = await call<{ matches: object[] }>(dashboard.service, workspace, 'GET', '/matches');
      return matches.length > 0;
    };
    await expectSoon(mentions, true);
    await page.getByRole('link', { name: 'See the mentions' }).click();
    await page.getByRole('heading', { name: 'Mentions' }).waitFor();
  });

  it('keeps collecting a place, and leads to an alert', async () => {
    const { page, workspace } = await dashboard.signedIn('/start');
    await page.getByRole('button', { name: /^Hacker News/ }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('button', { name: 'Keep collecting' }).click();
    await page.getByText('It is collected every hour.').waitFor();
    expect(await call(dashboard.service, workspace, 'GET', '/schedules')).toMatchObject([
      { target: 'hn:new', mode: 'monitor', cron_expression: '0 * * * *' },
    ]);
    await page.getByRole('link', { name: 'Tell me' }).click();
    await expectSoon(() => page.getByRole('dialog').getByLabel('Forums').inputValue(), 'hn:new');
  });

  it('searches by keyboard, keeps the search in the address and opens a post', async () => {
    const { page } = await withPosts('/jobs');
    await page.getByRole('heading', { name: 'Jobs' }).waitFor();
    await page.keyboard.press('/');
    await page.getByText(`${POSTS} results`).waitFor();
    await page.keyboard.type('charging 10');
    await page.getByText('1 result', { exact: true }).waitFor();
    await expectSoon(() => page.locator('mark').allInnerTexts(), ['10', 'Charging', '10']);
    expect(new URL(page.url()).searchParams.get('q')).toBe('charging 10');

    await page.reload();
    await page.getByText('1 result', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Post 10 about batteries' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Post 10 about batteries' }).waitFor();
  });

  it('filters by a facet and by dates with the mouse, and downloads what it shows', async () => {
    const { page } = await withPosts('/search');
    await page.getByText(`${POSTS} results`).waitFor();
    await page.getByRole('checkbox', { name: /Technology/ }).click();
    await page.getByText('20 results').waitFor();
    expect(page.url()).toContain('forum=Technology');
    await page.getByText('Download as a file').click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /CSV/ }).click();
    expect((await download).suggestedFilename()).toMatch(/\.csv$/);
    await page.getByRole('button', { name: 'Remove filter Forum: Technology' }).click();
    await page.getByText(`${POSTS} results`).waitFor();
  });

  it('lists more values of each filter with the mouse', async () => {
    const { page } = await withPosts('/search');
    const values = page.getByRole('group', { name: 'Author' }).getByRole('checkbox');
    await values.nth(5).waitFor();
    await expectSoon(() => values.count(), 6);
    await page.getByRole('button', { name: 'More values' }).click();
    await values.nth(6).waitFor();
    await page.getByRole('button', { name: 'Fewer values' }).click();
    await values.nth(6).waitFor({ state: 'detached' });
  });

  it('collapses the replies of a comment', async () => {
    const { page } = await withPosts('/posts/t3_000001');
    await page.getByText('3 comments stored').waitFor();
    await page.getByText('The only reply').waitFor();
    await page.getByRole('button', { name: /Collapse the replies to/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 reply hidden').waitFor();
    expect(await page.getByText('The only reply').count()).toBe(0);
  });

  it('searches the comments of one post with the mouse, optionally in thread order', async () => {
    const { page } = await withPosts('/posts/t3_000001');
    await page.getByRole('link', { name: 'Search these comments' }).click();
    await page.getByText('3 results').waitFor();
    await page.getByLabel('Sort by').selectOption('Thread');
    await page.getByRole('button', { name: 'Order: Descending' }).click();
    await page.waitForURL(/sort_by=thread&sort_order=asc/);
    await page.locator('main ol > li').nth(1).getByText('The only reply').waitFor();
    await page.getByLabel('Search posts and comments').fill('chargers');
    await page.getByText('2 results').waitFor();
    await page.getByRole('button', { name: 'Remove filter Post: t3_000001' }).click();
    await page.getByText('3 results').waitFor();
  });

  it('starts a job by keyboard, follows it, and cancels it', async () => {
    const { page } = await dashboard.signedIn('/jobs');
    await page.getByText('No jobs yet.').waitFor();
    await typeCommand(page, 'start');
    await page.keyboard.press('Enter');
    await focused(page.getByLabel('Forum or user name'));
    await page.keyboard.type('technology');
    await page.getByLabel('Maximum posts').fill('1000');
    await page.keyboard.press('Enter');
    await page.getByText('Live updates').waitFor();
    await page.getByRole('region', { name: 'Details' }).getByText('posts, comments').waitFor();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('The job was cancelled.').waitFor();
    await page.getByRole('button', { name: 'Repeat' }).click();
    await page.getByText('Live updates').waitFor();
  });

  it('resumes following a job whose events were refused', async () => {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', {
      target: 'technology',
      limit: 1_000,
    });
    await page.route('**/events', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.clock.install();
    await page.goto(`/jobs/${id}`);
    await page.getByText('Connection lost. Reconnecting …').waitFor();
    await page.clock.fastForward(5_000);
    await page.getByText('Live updates').waitFor();
    await call(dashboard.service, workspace, 'DELETE', `/jobs/${id}`);
    await page.getByText('The job was cancelled.').waitFor();
  });

  it('lists the jobs of a source and a mode, by keyboard alone', async () => {
    const { page, workspace } = await dashboard.blank();
    for (const target of ['technology', 'science'])
      await call(dashboard.service, workspace, 'POST', '/jobs', { target, limit: 1, scrape_comments: false });
    await page.goto('/jobs');
    await page.getByRole('link', { name: 'science' }).waitFor();
    await page.getByLabel('Forum or user').focus();
    await page.keyboard.type('technology');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'science' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'technology' }).waitFor();
    await page.getByLabel('Mode').focus();
    await page.keyboard.type('Only new');
    await page.getByText('No job matches these filters.').waitFor();
    expect(new URL(page.url()).search).toBe('?target=technology&mode=monitor');
  });

  /** The page of a new job without comments. */
  async function openJob(limit: number) {
    const { page, workspace } = await dashboard.blank();
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/jobs', {
      target: 'technology',
      limit,
      scrape_comments: false,
    });
    await page.goto(`/jobs/${id}`);
    return { page, workspace, id };
  }

  it('searches the posts of a job with the mouse', async () => {
    const { page, workspace } = await openJob(10);
    const posts = page.getByRole('region', { name: 'Posts of this job' });
    await posts.getByRole('listitem').nth(9).waitFor();
    const stored = await call<{ posts: { author: string }[] }>(dashboard.service, workspace, 'GET', '/posts');
    const { author } = stored.posts[0]!;
    await posts.getByLabel('Search the posts of this job').fill(`author:${author}`);
    await posts.getByRole('listitem').nth(9).waitFor({ state: 'detached' });
    await expectSoon(
      () => posts.getByRole('listitem').count(),
      stored.posts.filter((post) => post.author === author).length,
    );
    await posts.getByLabel('Search the posts of this job').fill('nosuchword');
    await posts.getByText('Nothing matches this search.').waitFor();
  });

  it('links from a post back to the job from which it was opened', async () => {
    const { page, id } = await openJob(1);
    const posts = page.getByRole('region', { name: 'Posts of this job' });
    await posts.getByRole('heading', { level: 2 }).nth(1).getByRole('link').click();
    await page.getByRole('button', { name: 'Back to the job' }).click();
    await page.getByRole('heading', { name: 'technology' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/jobs/${id}`);
  });

  it.each([
    ['nosuchforum', 'Check the spelling'],
    ['privateforum', 'it cannot become a member. Choose another forum'],
    ['bannedforum', 'The platform no longer shows its content. Choose another forum'],
    ['quarantinedforum', 'it cannot opt in. Choose another forum'],
    ['gatedforum', 'it cannot accept the warning. Choose another forum'],
  ])('says what to do when the job of %s failed', async (forum, remedy) => {
    const { page } = await dashboard.signedIn('/jobs?create=yes');
    const field = page.getByLabel('Forum or user name');
    await focused(field);
    await field.fill(forum);
    await field.press('Enter');
    await page.getByText(remedy).waitFor();
  });

  it('creates an alert that keeps all of a search, after a preview', async () => {
    const q = encodeURIComponent('batteries OR never -(nosuchword "not once")');
    const { page, workspace } = await withPosts(`/search?q=${q}&forum=Technology&min_score=0&is_nsfw=false`);
    await page.getByRole('button', { name: 'Alert me' }).click();
    await page.getByText(/^\d+ of the newest \d+ posts match\.$/).waitFor();
    await page.getByLabel('Name').fill('Batteries');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Batteries', exact: true }).waitFor();
    expect(await call(dashboard.service, workspace, 'GET', '/alerts?view=full')).toMatchObject([
      {
        of: 'posts',
        keywords: [],
        query: '(batteries OR never -(nosuchword "not once")) forum:Technology score:>=0 -is:nsfw',
      },
    ]);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No alerts yet.').waitFor();
  });
});
