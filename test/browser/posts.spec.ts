import { aPost, storePosts } from '../factories/posts.js';
import type { TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { Dashboard, expectSoon, focused, violations } from './browser.js';

const POST = 't3_000001';

describe('the page of a post', () => {
  const dashboard = new Dashboard();
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await dashboard.service.createWorkspace();
    await storePosts(dashboard.service, workspace.workspaceId, [
      aPost(1, { hasMedia: true, mediaUrls: ['https://example.com/1.png', 'javascript:alert(1)'] }),
      aPost(2),
      aPost(3, { hasMedia: true, mediaUrls: ['https://example.com/1.png', 'https://example.com/2.png'] }),
    ]);
  });

  it('says that media were not downloaded, and where they are', async () => {
    const { page } = await dashboard.signedIn(`/posts/${POST}`, workspace);
    await page.getByText('The media files of this post are not stored.').waitFor();
    const original = page.getByRole('link', { name: 'Original file' });
    await expectSoon(() => original.getAttribute('href'), 'https://example.com/1.png');
    await page.goto('/posts/t3_000002');
    await page.getByRole('heading', { name: 'Post 2 about batteries' }).waitFor();
    expect(await page.getByText('The media files of this post are not stored.').count()).toBe(0);
  });

  it('says which of its media were not downloaded, and where they are', async () => {
    const { page } = await dashboard.blank(workspace);
    await page.route('**/posts/t3_000003/media', (route) =>
      route.fulfill({
        json: [{ id: 'media_1', url: 'https://example.com/1.png', content_type: 'image/png', path: '/1' }],
      }),
    );
    await page.goto('/posts/t3_000003');
    await page.getByText('1 of 2 media files of this post is not stored.').waitFor();
    await expectSoon(() => page.getByRole('img', { name: 'Picture 1 of the post' }).count(), 1);
    const originals = page.getByRole('link', { name: /Original file/ });
    await expectSoon(() => originals.allInnerTexts(), ['Original file 2 ↗']);
    await expectSoon(() => originals.getAttribute('href'), 'https://example.com/2.png');
  });

  it('enlarges its pictures, which the arrow keys change', async () => {
    const { page } = await dashboard.blank(workspace);
    const picture = (number: number, content_type: string) => ({
      id: `media_${number}`,
      url: `https://example.com/${number}`,
      content_type,
      path: `/favicon.svg?${number}`,
    });
    await page.route('**/posts/t3_000003/media', (route) =>
      route.fulfill({
        json: [picture(1, 'image/png'), picture(2, 'video/mp4'), picture(3, 'image/png')],
      }),
    );
    await page.goto('/posts/t3_000003');
    const first = page.getByRole('button', { name: 'Enlarge picture 1 of the post' });
    await first.press('Enter');
    await page.getByRole('dialog', { name: 'Picture 1 of the post' }).press('ArrowRight');
    const dialog = page.getByRole('dialog', { name: 'Picture 3 of the post' });
    await expectSoon(() => dialog.getByRole('img').getAttribute('src'), '/favicon.svg?3');
    expect(await violations(page)).toEqual([]);
    await dialog.press('Escape');
    await focused(first);
  });

  it('links back to the search from which it was opened', async () => {
    const { page } = await dashboard.signedIn('/search?q=batteries', workspace);
    await page.getByRole('link', { name: 'Post 1 about batteries' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Back to search' }).click();
    await page.waitForURL(/search\?q=batteries$/);
  });

  it('links back to the alert from which it was opened', async () => {
    const { page } = await dashboard.blank(workspace);
    const { id } = await call<{ id: string }>(dashboard.service, workspace, 'POST', '/alerts', {
      name: 'Batteries',
      keywords: ['batteries'],
    });
    const post = await call(dashboard.service, workspace, 'GET', `/posts/${POST}`);
    await page.route('**/matches?*', (route) =>
      route.fulfill({
        json: {
          matches: [
            {
              ...{ id: 'match_1', alert_id: id, matched_at: new Date().toISOString(), state: 'new' },
              ...{ labels: [], note: '', duplicates: 0, keywords: ['batteries'], post, comment: null },
            },
          ],
          total: 1,
          counts: { new: 1, seen: 0, kept: 0, dismissed: 0 },
          cursor: '',
          has_more: false,
        },
      }),
    );
    await page.goto('/alerts');
    await page.getByRole('link', { name: 'Batteries', exact: true }).click();
    await page.getByRole('link', { name: 'Post 1 about batteries' }).click();
    await page.getByRole('button', { name: 'Back to the alert' }).click();
    await page.waitForURL(`**/alerts/${id}`);
  });

  it('links to a search when it was opened by its address', async () => {
    const { page } = await dashboard.blank(workspace);
    const other = await page.context().newPage();
    await other.goto(`/posts/${POST}`);
    await other.getByRole('link', { name: 'Go to search' }).click();
    await other.getByText('3 results').waitFor();
  });
});
