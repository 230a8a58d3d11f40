import type { Browser, Page } from 'playwright-core';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { signIn, startBrowser, violations, visit } from './browser.js';

const PAYLOADS = [
  '<img src=x onerror="document.title=`owned`">',
  '<script>document.title="owned"</script>',
  '"><svg onload=alert(1)>',
  '<mark><b>battery</b></mark>',
  'javascript:alert(1)',
];

const PAGES = [
  '/search?q=battery',
  '/search?of=comments&q=battery',
  '/posts/t3_000001',
  '/start',
  '/jobs',
].concat([
  '/jobs?create=yes',
  '/alerts',
  '/alerts?create=yes&keywords=battery',
  '/settings',
  '/settings?create=yes',
]);

/** Colour of text in each theme: a change of theme takes effect some frames after it was asked for. */
const INK = { light: 'rgb(23, 24, 29)', dark: 'rgb(236, 236, 241)' };

/** Waits until the page is drawn in a theme, and two frames more, after which inherited colours have followed. */
const settled = (page: Page, ink: string): Promise<void> =>
  page.evaluate<void>(`new Promise((done) => {
    const look = () =>
      getComputedStyle(document.body).color === '${ink}'
        ? requestAnimationFrame(() => requestAnimationFrame(done))
        : requestAnimationFrame(look);
    look();
  })`);

describe('the safety of the dashboard', () => {
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

  async function hostileWorkspace() {
    const workspace = await service.createWorkspace(PAYLOADS[0]);
    await storePosts(
      service,
      workspace.workspaceId,
      PAYLOADS.map((text, number) =>
        aPost(number, {
          title: `battery ${text}`,
          selftext: `battery ${text}`,
          author: text.slice(0, 60),
          flair: text,
          url: text,
          forum: text.slice(0, 60),
          postType: 'link',
          keywords: [text],
        }),
      ),
    );
    await storeComments(
      service,
      workspace.workspaceId,
      PAYLOADS.map((text, number) =>
        aComment(number + 1, { body: `battery ${text}`, author: text.slice(0, 60) }),
      ),
    );
    return workspace;
  }

  it('refuses a wrong key in words and keeps no key in the page', async () => {
    const workspace = await service.createWorkspace();
    const { page } = await visit(browser, service);
    await page.getByLabel('API key').fill('rp_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not know this key.').waitFor();
    await page.getByLabel('API key').fill('');
    await signIn(page, workspace.apiKey);
    await page.getByRole('heading', { name: 'Collect your first posts' }).waitFor();
    expect(await page.content()).not.toContain(workspace.apiKey);
    expect(await page.evaluate<string>('document.cookie + JSON.stringify(localStorage)')).not.toMatch(
      /rp_|session/,
    );
  });

  it('signs out, and ends when the key is revoked', async () => {
    const workspace = await service.createWorkspace();
    const { page } = await visit(browser, service, '/settings');
    await signIn(page, workspace.apiKey);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await signIn(page, workspace.apiKey);
    await page.getByRole('button', { name: /Revoke the key/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('API key').fill(workspace.apiKey);
    await page.keyboard.press('Enter');
    await page.getByText('This key was revoked.').waitFor();
  });

  it('shows every text of the platform as text, loads nothing from elsewhere and passes axe on every page', async () => {
    const workspace = await hostileWorkspace();
    const { page, foreign, complaints } = await visit(browser, service);
    await signIn(page, workspace.apiKey);
    const found: string[] = [];
    for (const path of PAGES) {
      await page.goto(path);
      await page.locator('h1').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');
      for (const width of [360, 1440])
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 800 });
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await settled(page, INK[colorScheme]);
          for (const line of await violations(page)) found.push(`${path} ${width} ${colorScheme} ${line}`);
        }
      expect(await page.title()).not.toBe('owned');
      expect(await page.locator('main script, main svg, main b, main img[src="x"]').count()).toBe(0);
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    }
    expect(found).toEqual([]);
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('passes axe on the sign-in page', async () => {
    const { page } = await visit(browser, service);
    await page.getByLabel('API key').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('shows hostile titles letter by letter', async () => {
    const workspace = await hostileWorkspace();
    const { page } = await visit(browser, service, '/search');
    await signIn(page, workspace.apiKey);
    await page.getByText(`${PAYLOADS.length} results`).waitFor();
    const titles = await page.locator('article h2').allInnerTexts();
    expect(titles.sort()).toEqual(PAYLOADS.map((text) => `battery ${text}`).sort());
  });
});
