import type { Page, Request, Route } from 'playwright-core';
import { aPost, storePosts } from '../factories/posts.js';
import { Dashboard, drawn } from './browser.js';

const WORD = 'lithium';

describe('typing in the search', () => {
  const dashboard = new Dashboard();

  async function searching(): Promise<Page> {
    const workspace = await dashboard.service.createWorkspace();
    await storePosts(
      dashboard.service,
      workspace.workspaceId,
      Array.from(WORD, (_, number) => aPost(number, { title: `Post ${WORD.slice(0, 1 + number)}` })),
    );
    const { page } = await dashboard.signedIn('/search', workspace);
    await page.getByText(`${WORD.length} results`).waitFor();
    return page;
  }

  it('requests the list first, and the counts after it has arrived', async () => {
    const page = await searching();
    await page.clock.install();
    const held: Route[] = [];
    await page.route(/\/posts\?.*q=/, (route) => void held.push(route));
    const counted: Request[] = [];
    page.on('request', (request) => {
      if (/analytics.*q=/.test(request.url())) counted.push(request);
    });
    const isFor = (q: string) => (request: Request) => new URL(request.url()).searchParams.get('q') === q;
    const asked = (q: string): Promise<Request> => page.waitForRequest(isFor(q));

    const ended = page.waitForEvent('requestfailed', isFor('l'));
    await Promise.all([asked('l'), page.keyboard.press('l')]);
    await Promise.all([asked('li'), page.keyboard.press('i')]);
    await ended;

    // Longer than the pause in typing after which counts are requested.
    await page.clock.fastForward(600);
    await drawn(page);
    expect(counted).toEqual([]);
    const facets = page.waitForRequest(/analytics\/facets/);
    await held.at(-1)!.continue();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(new URL((await facets).url()).searchParams.get('q')).toBe('li');
  });

  it('requests the list of each search once', async () => {
    const page = await searching();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      if (/\/posts\?/.test(request.url())) asked.push(new URL(request.url()).searchParams.get('q'));
    });
    // Counts are requested after the list.
    await Promise.all([page.waitForResponse(/facets.*q=l/), page.keyboard.press('l')]);
    await Promise.all([
      page.waitForResponse(/facets.*forum=Technology/),
      page.getByRole('checkbox', { name: /Technology/ }).click(),
    ]);
    expect(asked).toEqual(['l', 'l']);
  });
});
