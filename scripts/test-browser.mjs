import { installByApt } from './lib/apt.mjs';
import { CHROMIUM_PACKAGE, findChromium } from './lib/chromium.mjs';
import { prepareDashboard } from './lib/dashboard.mjs';
import { runJest } from './lib/jest.mjs';
import { prepare, say } from './lib/prepare.mjs';

// `npm run test:browser`: tests the dashboard in Chromium, which is installed with apt if it is missing.
const REMEDY =
  'Install Chromium, or set CHROMIUM to the path of a Chromium or Chrome, and run the command again.';

await prepare('test');
if (!(await prepareDashboard())) process.exit(1);
for (const name of [CHROMIUM_PACKAGE, 'chromium']) if (findChromium() === undefined) installByApt(name);
const chromium = findChromium();
if (chromium === undefined) {
  say(`The dashboard tests need Chromium, which could not be installed automatically. ${REMEDY}`);
  process.exit(1);
}
process.env.CHROMIUM = chromium;
await runJest(['--config', 'jest.browser.config.mjs', ...process.argv.slice(2)]);
