import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSandbox } from '../../src/sandbox/server/sandbox.js';
import { startChromium } from '../../scripts/bench/support/chromium.js';
import { startTestApplication } from '../support/application.js';
import { ROOT } from '../support/doc-blocks.js';
import { scrapingFrom } from '../support/sandbox.js';

/** The script that uses the client in the page; `client` is the bundle's global. */
const TASK = (options: object) => `(async () => {
  const scraping = new client.ScrapingClient(${JSON.stringify(options)});
  const { id } = await scraping.startJob({ target: 'technology', limit: 5, scrape_comments: false, download_media: false });
  const { status } = await scraping.waitForJob(id, { timeoutMs: 60000 });
  const ids = [];
  for await (const post of scraping.eachPost()) ids.push(post.id);
  const error = await scraping.getJob('job_00000000-0000-4000-8000-000000000000').catch((caught) => caught);
  return { status, posts: ids.length, isApiError: error instanceof client.ApiError };
})()`;

it('the packed TypeScript client scrapes and reads posts in a page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'client-bundle-'));
  const sandbox = await startSandbox();
  const service = await startTestApplication(scrapingFrom(sandbox.baseUrl));
  const browser = await startChromium();
  try {
    const bundle = join(folder, 'client.js');
    await promisify(execFile)(process.execPath, [
      join(ROOT, 'scripts/client-package.mjs'),
      '--bundle',
      bundle,
    ]);
    const { workspaceId, apiKey } = await service.createWorkspace();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    // A page of the service's own origin, from which browsers allow requests to it.
    await page.route(`${service.url}/page`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A page</title>' }),
    );
    await page.goto(`${service.url}/page`);
    await page.addScriptTag({ content: await readFile(bundle, 'utf8') });
    expect(await page.evaluate(TASK({ baseUrl: service.url, apiKey, workspaceId }))).toEqual({
      status: 'completed',
      posts: 5,
      isApiError: true,
    });
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    await service.close();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}, 240_000);
