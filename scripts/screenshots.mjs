import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from './lib/chromium.mjs';
import { prepareDashboard } from './lib/dashboard.mjs';
import { NAVIGATION } from './lib/pages.mjs';
import { compiled, prepare, say } from './lib/prepare.mjs';

// `npm run screenshots`: takes the screenshots of the README, with data from the synthetic platform. With
// `-- --walk FOLDER`, also takes every page at two sizes in both themes, empty and full, into a folder.
const FOLDER = join(import.meta.dirname, '../docs/images');
const SIZE = { width: 1200, height: 750 };
const FORUM = 'technology';
const POSTS = 700;
const ADMIN_TOKEN = randomBytes(32).toString('hex');
const WALK = process.argv[2] === '--walk' ? process.argv[3] : undefined;
const PAGES = [
  ...NAVIGATION,
  // The synthetic posts are older than the usual period.
  '/trends?period=all',
  '/admin/overview',
  '/admin/workspaces',
  '/admin/audit',
];
const VIEWS = ['light', 'dark'].flatMap((theme) => [
  { theme, name: 'wide', size: { width: 1440, height: 900 } },
  { theme, name: 'narrow', size: { width: 390, height: 844 } },
]);

await prepare();
if (!(await prepareDashboard())) process.exit(1);
const executablePath = findChromium();
if (executablePath === undefined) {
  say('Screenshots need Chromium, which is not installed. Install it, or set CHROMIUM to its path.');
  process.exit(1);
}
process.env.CHROMIUM = executablePath;

const service = spawn(process.execPath, ['scripts/start.mjs', '--json', '--ephemeral'], {
  stdio: ['ignore', 'pipe', 'ignore'],
  env: { ...process.env, ADMIN_TOKEN, PLATFORM_REQUESTS_PER_MINUTE: '600' },
});
const { startChromium } = await compiled('scripts/bench/support/chromium.js');
const browser = await startChromium();
try {
  const [line] = await once(createInterface(service.stdout), 'line');
  const { base_url, api_key } = JSON.parse(line);
  const page = await browser.newPage({ viewport: SIZE, baseURL: base_url, colorScheme: 'light' });
  const take = async (name) => {
    await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
    say(`docs/images/${name}.png`);
  };
  /** Takes every page in every view, in the state that the workspace is in. */
  const walk = async (state, more = {}) => {
    if (WALK === undefined) return;
    for (const { theme, name, size } of VIEWS) {
      const folder = join(WALK, `${state}-${theme}-${name}`);
      await mkdir(folder, { recursive: true });
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: theme });
      const named = PAGES.map((path) => [path.split('?')[0].slice(1).replace('/', '-') || 'home', path]);
      for (const [file, path] of [...named, ...Object.entries(more)]) {
        await page.goto(path);
        await page.locator('h1').first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled' });
      }
    }
    await page.setViewportSize(SIZE);
    await page.emulateMedia({ colorScheme: 'light' });
    say(`${WALK}: ${state}`);
  };
  /** Creates a record as the signed-in user. */
  const create = (resource, data) =>
    page.request.post(`/api/v1/workspaces/current/${resource}`, { data, headers: { Origin: base_url } });
  const read = async (resource) => (await page.request.get(`/api/v1/workspaces/current/${resource}`)).json();
  await mkdir(FOLDER, { recursive: true });
  await page.goto('/jobs?create=yes');
  await page.getByLabel('API key').fill(api_key);
  await page.keyboard.press('Enter');
  await page.getByLabel('Forum or user name').waitFor();
  await page.goto('/admin/overview');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.keyboard.press('Enter');
  await page.locator('header').waitFor();
  await walk('empty');
  await create('alerts', { name: 'Batteries and chargers', keywords: ['battery', 'charger', 'update'] });
  await create('schedules', { target: FORUM, mode: 'monitor', cron_expression: '0 9 * * 1-5' });
  await create('webhooks', { url: 'https://hooks.example.com/scrapes' });
  await page.goto('/jobs?create=yes');
  await page.getByLabel('Forum or user name').fill(FORUM);
  await page.getByLabel('Maximum posts').fill(String(POSTS));
  await page.keyboard.press('Enter');
  await page.getByText('Live updates').waitFor();
  await page.locator('[data-counter="Comments"]', { hasText: /,/ }).waitFor();
  await take('job');
  await page.getByText('Completed', { exact: true }).waitFor({ timeout: 120_000 });
  await page.goto('/search?q=battery+OR+update');
  await page.locator('main mark').first().waitFor();
  await page.locator('canvas').waitFor();
  await page.waitForLoadState('networkidle');
  await take('search');
  const [newest] = (await read('posts?sort_by=created_utc&sort_order=desc&limit=1')).posts;
  const [job] = (await read('jobs?limit=1')).jobs;
  const [discussed] = (await read('posts?sort_by=num_comments&sort_order=desc&limit=1')).posts;
  const [workspace] = (await (await page.request.get('/api/v1/admin/workspaces')).json()).workspaces;
  if (WALK !== undefined) {
    await create('searches', { name: 'Batteries', of: 'posts', q: 'battery' });
    await create('exports', { of: 'posts', format: 'csv', filters: { q: 'battery', min_score: 10 } });
    await create('datasets', { name: 'Opinions on batteries', of: 'comments', q: 'battery' });
    await create('reports', { name: 'Weekly', alerts: [(await read('alerts'))[0].id] });
    await create('jobs', { target: 'no_such_forum' });
  }
  const [webhook] = await read('webhooks');
  const [alert] = await read('alerts');
  const [report] = await read('reports');
  await walk('full', {
    job: `/jobs/${job.id}`,
    webhook: `/webhooks/${webhook.id}`,
    alert: `/alerts/${alert.id}`,
    ...(report && { report: `/reports/${report.id}` }),
    post: `/posts/${discussed.id}`,
    'admin-workspace': `/admin/workspaces/${workspace.id}`,
  });
  // The newest synthetic posts are weeks old; Home shows the day on which they were written.
  await page.clock.setFixedTime(newest.created_utc);
  await page.goto('/');
  await page.getByRole('region', { name: 'Newest mentions' }).getByRole('listitem').first().waitFor();
  await page.waitForLoadState('networkidle');
  await take('home');
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await once(service, 'exit');
}
