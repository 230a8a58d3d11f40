import type { Browser, Page } from 'playwright-core';
import type { BenchApi } from './support/api.js';
import { startChromium } from './support/chromium.js';
import { Bench } from './support/harness.js';
import { until } from './support/measure.js';
import { numbersOf } from './support/options.js';
import { fillSearchValues } from './support/search-values.js';
import { waitForSegments } from './support/segments.js';

const WORD = 'lithium';
const COMMENTS = 10_000;
const POST_ID = 't3_thread';
/** Number of repetitions. The first one, in which the browser compiles scripts, is also reported. */
const REPEATS = 5;
const SCROLLS = 60;
const WINDOWS = 4;
const SHOWN_TIMEOUT_MS = 30_000;

/** Milliseconds from each keystroke of a word to its painted results, and how much of that the service took. */
interface Typed {
  shown_ms: number[];
  answered_ms: number[];
}

/**
 * Records for each keystroke when the first result for the text then in the field was painted, and how long the service
 * took. Each prefix of the word finds posts that no other prefix finds.
 */
const WATCH = `
  globalThis.shown = [];
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
      shown.push([performance.now() - since, responseEnd - requestStart]);
    }));
  }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
`;

/**
 * Records in each page when the first comments and when all of them were painted, in milliseconds since the page was
 * opened. The page measures this itself, because after a while Playwright checks only twice a second.
 */
const WATCH_THREAD = `
  globalThis.painted = { first: null, all: null };
  const noted = new Set();
  const note = (name) => {
    if (noted.has(name)) return;
    noted.add(name);
    requestAnimationFrame(() => setTimeout(() => { painted[name] = performance.now(); }));
  };
  new MutationObserver(() => {
    const size = document.querySelector('main ol > li[aria-setsize]')?.getAttribute('aria-setsize');
    if (size != null) note('first');
    if (size === '${COMMENTS}') note('all');
  }).observe(document, { childList: true, subtree: true, attributeFilter: ['aria-setsize'] });
`;

/**
 * Waiting times of dashboard users, in Chromium: for results while typing, among `--posts` posts (20,000 by default),
 * and for a thread of 10,000 comments.
 */
export async function run(args: string[] = []): Promise<object> {
  const { posts } = numbersOf(args, { posts: 20_000 });
  return Bench.run(async (bench) => {
    const api = await bench.api(posts, 'scheduler');
    const browser = await startChromium();
    bench.atEnd(() => browser.close());
    await fill(bench, api);
    await api.restart();
    // The first window runs the first word searches since the API was started.
    let page = await openSearch(browser, api);
    const typing = [await type(page)];
    while (typing.length < WINDOWS) {
      await page.close();
      page = await openSearch(browser, api);
      typing.push(await type(page));
    }
    return { posts, comments: COMMENTS, typing, ...(await readThread(page)) };
  });
}

/** A window of its own with the search page, ready once facets and chart are shown: users start to type then. */
async function openSearch(browser: Browser, api: BenchApi): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, baseURL: api.url });
  page.setDefaultTimeout(60_000);
  await page.goto('/search');
  await page.getByLabel('API key').fill(api.headers['X-API-Key']);
  await page.keyboard.press('Enter');
  await page.locator('main ol > li').first().waitFor();
  await page.waitForLoadState('networkidle');
  return page;
}

/** Puts each prefix of the word into titles, stores the thread, and waits until the search index contains all rows. */
async function fill(bench: Bench, { workspaceId }: BenchApi): Promise<void> {
  const client = await bench.client();
  await client.query(
    `UPDATE posts SET title = title || ' ' || left($2, 1 + (score % $3)::int), search = '' WHERE workspace_id = $1`,
    [workspaceId, WORD, WORD.length],
  );
  await client.query(
    `INSERT INTO posts (workspace_id, id, forum, title, author, created_utc, permalink, url, score, upvote_ratio, num_comments,
       selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls, sentiment_score, sentiment_label,
       keywords, scraped_at)
     SELECT workspace_id, $2, forum, 'A long thread', author, created_utc, permalink, url, score, upvote_ratio, $3,
       selftext, post_type, is_nsfw, is_spoiler, flair, total_awards, has_media, media_urls, sentiment_score, sentiment_label,
       keywords, scraped_at
     FROM posts WHERE workspace_id = $1 ORDER BY id LIMIT 1`,
    [workspaceId, POST_ID, COMMENTS],
  );
  // Chains of five comments, each a reply to the previous one.
  await client.query(
    `INSERT INTO comments (workspace_id, id, comment_id, post_id, post_permalink, forum, parent_id, author, body, score,
       created_utc, depth, is_submitter, sentiment_score, sentiment_label, scraped_at)
     SELECT $1, n, 't1_' || n, $2, '/r/forum/', 'forum', CASE WHEN n % 5 = 0 THEN $2 ELSE 't1_' || n - 1 END, 'author' || n % 500,
       repeat('Comment ' || n || ' ', 1 + n % 20), n % 50, timestamptz '2026-01-01' + n * interval '1 second', n % 5, false, 0,
       'neutral', now()
     FROM generate_series(0, $3 - 1) AS n`,
    [workspaceId, POST_ID, COMMENTS],
  );
  await fillSearchValues(client, 'posts');
  await fillSearchValues(client, 'comments');
  // Otherwise autovacuum would start the same work during the measurement.
  await client.query('VACUUM (ANALYZE) posts, comments');
  await waitForSegments(bench.databaseUrl);
}

async function type(page: Page): Promise<Typed> {
  await page.evaluate(WATCH);
  const shown = (): Promise<[number, number][]> => page.evaluate<[number, number][]>('shown');
  await page.locator('input[type=search]').first().focus();
  for (const [index, key] of [...WORD].entries()) {
    await page.keyboard.press(key);
    await until(shown, (all) => all.length > index, SHOWN_TIMEOUT_MS, 10);
  }
  const times = await shown();
  return {
    shown_ms: times.map(([all]) => Math.round(all)),
    answered_ms: times.map(([, answered]) => Math.round(answered)),
  };
}

async function readThread(page: Page): Promise<object> {
  // Milliseconds from opening a post's page until the first comments are shown, and until all are.
  const thread = { first_ms: [] as number[], all_ms: [] as number[] };
  await page.addInitScript(WATCH_THREAD);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await page.goto('/search');
    await page.locator('main ol > li').first().waitFor();
    await page.goto(`/posts/${POST_ID}`);
    await page.locator(`main ol > li[aria-setsize="${COMMENTS}"]`).first().waitFor();
    const painted = await page.evaluate<{ first: number; all: number }>(
      'new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(() => done(painted)))))',
    );
    thread.first_ms.push(Math.round(painted.first));
    thread.all_ms.push(Math.round(painted.all));
  }
  await page.evaluate(`
    globalThis.longTasks = [];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
  `);
  await page.mouse.move(600, 400);
  for (let scroll = 0; scroll < SCROLLS; scroll += 1) {
    await page.mouse.wheel(0, 2_000);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  // Tasks over 50 ms while scrolling through the whole thread.
  return { thread, long_tasks_ms: await page.evaluate<number[]>('longTasks') };
}
