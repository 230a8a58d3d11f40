import type { Browser, Page, Request, Route } from 'playwright-core';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { signIn, startBrowser, visit } from './browser.js';

const POSTS = 20_000;
const WORD = 'lithium';
/** Most time from a key to its results, the median of the word, beside the time in which the service answers. */
const LONGEST_MS = 150;

/**
 * Notes for each key how long it took until the first result of what is then in the field was painted, without the time
 * in which the service answered. Each beginning of the word finds posts that no other one finds.
 */
const WATCH = `
  globalThis.besideAnswers = [];
  performance.setResourceTimingBufferSize(10_000);
  let pressedAt = null;
  addEventListener('keydown', ({ timeStamp }) => { pressedAt = timeStamp; }, true);
  new MutationObserver(() => {
    const words = document.querySelector('input[type=search]').value;
    if (pressedAt === null || document.querySelector('main ol > li mark')?.textContent !== words) return;
    const since = pressedAt;
    pressedAt = null;
    requestAnimationFrame(() => setTimeout(() => {
      const { requestStart, responseEnd } = performance.getEntriesByType('resource').findLast(({ name }) =>
        name.includes('/posts?') && new URL(name).searchParams.get('q') === words);
      besideAnswers.push(performance.now() - since - (responseEnd - requestStart));
    }));
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
`;

describe('typing in the search', () => {
  let browser: Browser;
  let service: TestApplication;

  beforeAll(async () => {
    service = await startTestApplication();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function searching(posts: number): Promise<Page> {
    const { workspaceId, apiKey } = await service.createWorkspace();
    await storePosts(
      service,
      workspaceId,
      Array.from({ length: posts }, (_, number) =>
        aPost(number, { title: `Post ${number} ${WORD.slice(0, 1 + (number % WORD.length))}` }),
      ),
    );
    const { page } = await visit(browser, service, '/search');
    await signIn(page, apiKey);
    await page.getByText(`${posts.toLocaleString('en')} results`).waitFor();
    return page;
  }

  it(`shows results within ${LONGEST_MS} ms of a key, beside the time in which the service answers`, async () => {
    const page = await searching(POSTS);
    await page.evaluate(WATCH);
    const seen = (): Promise<number[]> => page.evaluate<number[]>('besideAnswers');
    for (const [index, key] of [...WORD].entries()) {
      await page.keyboard.press(key);
      while ((await seen()).length === index) await page.waitForTimeout(10);
    }
    const median = (await seen()).sort((one, other) => one - other)[Math.floor(WORD.length / 2)];
    expect(median).toBeLessThan(LONGEST_MS);
  });

  it('asks for the list first, ends searches that are out of date, and counts once the list is there', async () => {
    const page = await searching(WORD.length);
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

    // Longer than the pause in typing after which counts follow.
    await page.waitForTimeout(600);
    expect(counted).toEqual([]);
    const facets = page.waitForRequest(/analytics\/facets/);
    await held.at(-1)!.continue();
    await page.getByText('1 result', { exact: true }).waitFor();
    expect(new URL((await facets).url()).searchParams.get('q')).toBe('li');
  });
});
