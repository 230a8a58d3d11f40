import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import type { TestApplication } from '../support/application.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Waits of a test for what the page shows. */
const TIMEOUT_MS = 20_000;

/** Chromium's sandbox refuses to run as root, which is who runs tests in containers. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

export interface Visit {
  page: Page;
  /** Addresses of other origins that the page asked for. */
  foreign: string[];
  /** What the page reported: exceptions, and what its content security policy blocked. */
  complaints: string[];
}

/** A page of a browser of its own: no cookie, no storage. */
export async function visit(
  browser: Browser,
  service: TestApplication,
  path = '/',
  size = { width: 1280, height: 800 },
): Promise<Visit> {
  const context = await browser.newContext({ viewport: size, baseURL: service.url });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== service.url && protocol !== 'data:') foreign.push(request.url());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
  await page.goto(path);
  return { page, foreign, complaints };
}

/** Waits until a field has the focus, which the page itself gives it: keys before that are lost. */
export const focused = (field: Locator): Promise<void> => field.and(field.page().locator(':focus')).waitFor();

/** Signs in by keyboard: the field has the focus when the page appears. */
export async function signIn(page: Page, apiKey: string): Promise<void> {
  await focused(page.getByLabel('API key'));
  await page.keyboard.insertText(apiKey);
  await page.keyboard.press('Enter');
  await page.locator('#navigation').waitFor({ state: 'attached' });
}

/** What axe finds on the page as it is: a line for each rule that is broken. */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<{
    violations: { id: string; nodes: { target: string[] }[] }[];
  }>(`${AXE};axe.run()`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

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

/** What axe finds on the page at 360 and 1,440 pixels in both themes, each line with its view. */
export async function violationsInAllViews(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [360, 1440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page, INK[colorScheme]);
      for (const line of await violations(page)) found.push(`${width} ${colorScheme} ${line}`);
    }
  return found;
}
