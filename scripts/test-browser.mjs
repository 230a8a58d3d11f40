import { spawnSync } from 'node:child_process';
import { findChromium } from './lib/chromium.mjs';
import { prepareDashboard } from './lib/dashboard.mjs';
import { prepare, say } from './lib/prepare.mjs';

// `npm run test:browser`: the dashboard in Chromium, which is installed through apt where it is missing.
const REMEDY =
  'Install Chromium, or set CHROMIUM to the path of a Chromium or Chrome, and run the command again.';

function installChromium() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error !== undefined) return;
  say('Installing Chromium (apt-get install chromium) ...');
  const options = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-q'], options);
  spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', 'chromium'], options);
}

await prepare('test');
if (!(await prepareDashboard())) process.exit(1);
if (findChromium() === undefined) installChromium();
const chromium = findChromium();
if (chromium === undefined) {
  say(
    `The tests of the dashboard need Chromium, which is not installed and could not be installed. ${REMEDY}`,
  );
  process.exit(1);
}
process.env.CHROMIUM = chromium;
const { run } = await import('jest');
await run(['--config', 'jest.browser.config.mjs', ...process.argv.slice(2)]);
