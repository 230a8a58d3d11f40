import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findChromium } from './lib/chromium.mjs';
import { prepareDashboard } from './lib/dashboard.mjs';
import { compiled, prepare, say } from './lib/prepare.mjs';

// `npm run screenshots`: takes the README's screenshots of the dashboard, with data from the synthetic platform.
const FOLDER = join(import.meta.dirname, '../docs/images');
const SIZE = { width: 1200, height: 750 };
const FORUM = 'technology';
const POSTS = 400;

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
  env: { ...process.env, PLATFORM_REQUESTS_PER_MINUTE: '600' },
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
  await mkdir(FOLDER, { recursive: true });
  await page.goto('/jobs?create=yes');
  await page.getByLabel('API key').fill(api_key);
  await page.keyboard.press('Enter');
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
} finally {
  await browser.close();
  service.kill('SIGTERM');
  await once(service, 'exit');
}
