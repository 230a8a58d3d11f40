import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright-core';
import { startChromium } from '../../scripts/bench/support/chromium.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Maximum time that a test waits for something on the page. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const SIZE = { width: 1280, height: 800 };

/** The admin token of {@link operatorDashboard}. */
export const ADMIN_TOKEN = 'the-admin-token-of-a-test-with-32-characters';

export interface Visit {
  page: Page;
  /** Addresses of other origins that the page requested. */
  foreign: string[];
  /** Errors of the page: exceptions, and content blocked by its security policy. */
  complaints: string[];
}

/** A page with the session of a workspace. */
export interface SignedIn extends Visit {
  workspace: TestWorkspace;
}

/**
 * The dashboard in a browser, for the tests of a file: starts a service and Chromium before them and stops both after
 * them.
 */
export class Dashboard {
  service!: TestApplication;
  private browser!: Browser;
  private contextsOfTest: BrowserContext[] = [];

  /** Must be constructed where the tests are described, because it registers hooks. */
  constructor(start: () => Promise<TestApplication> = () => startTestApplication()) {
    beforeAll(async () => {
      this.service = await start();
      this.browser = await startChromium();
    });
    // Contexts that `beforeAll` opened stay open for all tests.
    beforeEach(() => {
      this.contextsOfTest = [];
    });
    // Pages that stay open would keep polling the service.
    afterEach(() => Promise.all(this.contextsOfTest.map((context) => context.close())));
    afterAll(async () => {
      await this.browser.close();
      await this.service.close();
    });
  }

  /** A page in a browser context of its own, without cookies or storage. */
  async visit(path = '/'): Promise<Visit> {
    const visit = await this.unopened();
    await visit.page.goto(path);
    return visit;
  }

  /** The same, which has loaded nothing yet. */
  async unopened(): Promise<Visit> {
    const { url } = this.service;
    const context = await this.browser.newContext({ viewport: SIZE, baseURL: url });
    this.contextsOfTest.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    watchRequests(page);
    const foreign: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== url && protocol !== 'data:') foreign.push(request.url());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) complaints.push(message.text());
    });
    return { page, foreign, complaints };
  }

  /** A page of operators of {@link operatorDashboard}, signed in with the admin token. */
  async operator(path: string): Promise<Page> {
    const { page } = await this.visit(path);
    await focused(page.getByLabel('Admin token'));
    await page.keyboard.insertText(ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.locator('header').waitFor();
    return page;
  }

  /** A page that is signed in to the given workspace, or to a new one. */
  async signedIn(path = '/', given?: TestWorkspace): Promise<SignedIn> {
    const visit = await this.blank(given);
    await visit.page.goto(path);
    await visit.page.locator('#navigation').waitFor({ state: 'attached' });
    return visit;
  }

  /** The same, which has loaded nothing yet: for preparations before a page is opened. */
  async blank(given?: TestWorkspace): Promise<SignedIn> {
    const workspace = given ?? (await this.service.createWorkspace());
    const visit = await this.unopened();
    await beginSession(visit.page, workspace.apiKey);
    return { ...visit, workspace };
  }
}

/** Begins the session that the form of {@link signIn} begins. */
async function beginSession(page: Page, apiKey: string): Promise<void> {
  const response = await page.context().request.post('/api/v1/session', { data: { api_key: apiKey } });
  expect(response.status()).toBe(204);
}

/** A dashboard with operators. Its service may send to loopback, and rests after the first failed attempts. */
export const operatorDashboard = (): Dashboard =>
  new Dashboard(() =>
    startTestApplication({
      ROLES: 'api,worker',
      ADMIN_TOKEN,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '10ms,10ms,10ms,10ms,5h',
    }),
  );

/** Waits until a field has the focus, which the page itself sets: keys pressed before that are lost. */
export const focused = (field: Locator): Promise<void> => field.and(field.page().locator(':focus')).waitFor();

/**
 * Opens the list of commands by its shortcut, and types. Waits for the navigation first: the skeleton before it has a
 * heading too, but takes no keys.
 */
export async function typeCommand(page: Page, text: string): Promise<void> {
  await page.locator('#navigation').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+k');
  await focused(page.getByLabel('Find a command'));
  await page.keyboard.type(text);
}

/** Opens the menu of a record with the mouse, and chooses one of its actions. */
export async function choose(page: Page, action: string, name: string): Promise<void> {
  await page.getByLabel(`Actions: ${name}`, { exact: true }).click();
  await page.getByRole('button', { name: `${action}: ${name}`, exact: true }).click();
}

/** The same by keyboard. */
export async function chooseByKey(page: Page, action: string, name: string): Promise<void> {
  await page.getByLabel(`Actions: ${name}`, { exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `${action}: ${name}`, exact: true }).focus();
  await page.keyboard.press('Enter');
}

/** Expects a value of the page, which may still be rendering it. */
export async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  let value = await read();
  while (!isDeepStrictEqual(value, expected) && performance.now() < deadline) {
    await sleep(POLL_MS);
    value = await read();
  }
  expect(value).toEqual(expected);
}

/** The requests of a page: those that have not ended, and how many have begun. Streams, which stay open, are left out. */
const requestsOf = new WeakMap<Page, { open: Set<Request>; begun: number }>();
const STREAM = /\/(events|stream)$/;

function watchRequests(page: Page): void {
  const requests = { open: new Set<Request>(), begun: 0 };
  requestsOf.set(page, requests);
  page.on('request', (request) => {
    // The end of a request may not be reported when its document is replaced.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) requests.open.clear();
    if (STREAM.test(new URL(request.url()).pathname)) return;
    requests.open.add(request);
    requests.begun += 1;
  });
  page.on('requestfinished', (request) => requests.open.delete(request));
  page.on('requestfailed', (request) => requests.open.delete(request));
}

/** Waits until the page has drawn all that arrived, and has begun the requests that follow from that. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate<void>(`new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(() => done()))))`);

/** Waits until the page has loaded and drawn everything. */
export async function loaded(page: Page): Promise<void> {
  const requests = requestsOf.get(page)!;
  await expectSoon(
    async () => {
      const { begun } = requests;
      const isQuiet = requests.open.size === 0;
      await drawn(page);
      const awaited = await page.getByText('Loading', { exact: true }).count();
      return { isQuiet: isQuiet && requests.begun === begun, awaited };
    },
    { isQuiet: true, awaited: 0 },
  );
}

/** Reads the secret that a new dialog shows once, and closes the dialog by its button. */
export async function readAndClose(field: Locator): Promise<string> {
  await focused(field);
  const value = await field.inputValue();
  await field.page().getByRole('button', { name: 'Done' }).press('Enter');
  return value;
}

/** Signs in by keyboard; the field has the focus when the page appears. */
export async function signIn(page: Page, apiKey: string): Promise<void> {
  await focused(page.getByLabel('API key'));
  await page.keyboard.insertText(apiKey);
  await page.keyboard.press('Enter');
  await page.locator('#navigation').waitFor({ state: 'attached' });
}

/** The rules of axe whose result depends on the theme. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Those whose result depends on the width too: on what can be scrolled, and on controls that others replace there. */
const RULES_OF_WIDTH = [
  ...RULES_OF_COLOURS,
  ...['scrollable-region-focusable', 'nested-interactive'],
  ...['button-name', 'link-name', 'label', 'select-name', 'aria-command-name', 'summary-name'],
];

/** The page's widths and themes, each with the rules that it is tested with; none for all. The page stays wide. */
const VIEWS = [
  { width: 360, colorScheme: 'light', rules: RULES_OF_WIDTH },
  { width: 360, colorScheme: 'dark', rules: RULES_OF_COLOURS },
  { width: 1440, colorScheme: 'light', rules: undefined },
  { width: 1440, colorScheme: 'dark', rules: RULES_OF_COLOURS },
] as const;

/** The violations that axe finds on the current page, by default of all its rules: one line per broken rule. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate<void>(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations: found } = await page.evaluate<{
    violations: { id: string; nodes: { target: string[] }[] }[];
  }>(`axe.run(${JSON.stringify(options)})`);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** Text colour in each theme; a change of theme takes effect some frames after the click. */
const INK = { light: 'rgb(23, 24, 29)', dark: 'rgb(236, 236, 241)' };

/**
 * Waits until the page is drawn in a theme and shows no list that is about to be replaced, plus two frames, after which
 * inherited colours have changed too.
 */
const settled = (page: Page, ink: string): Promise<void> =>
  page.evaluate<void>(`new Promise((done) => {
    const look = () =>
      getComputedStyle(document.body).color === '${ink}' && document.querySelector('main [aria-busy=true]') === null
        ? requestAnimationFrame(() => requestAnimationFrame(done))
        : requestAnimationFrame(look);
    look();
  })`);

/**
 * The violations that axe finds on the page at 360 and 1,440 pixels in both themes, each line with its view: of all rules
 * once, and in the other views of those whose result depends on width or theme.
 */
export async function violationsInAllViews(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const { width, colorScheme, rules } of VIEWS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settled(page, INK[colorScheme]);
    for (const line of await violations(page, rules)) found.push(`${width} ${colorScheme} ${line}`);
  }
  return found;
}
