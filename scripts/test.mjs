import { spawnSync } from 'node:child_process';
import { installByApt } from './lib/apt.mjs';
import { findChromium } from './lib/chromium.mjs';
import { prepareDashboard } from './lib/dashboard.mjs';
import { runJest } from './lib/jest.mjs';
import { prepare, say } from './lib/prepare.mjs';

// `npm test`, and the other suites by their configuration of Jest: installs with apt what a suite needs and what is
// missing.
const REMEDY =
  'Install Chromium, or set CHROMIUM to the path of a Chromium or Chrome, and run the command again.';
const isOf = (suite) => ['all', suite].some((name) => process.argv.includes(`jest.${name}.config.mjs`));

await prepare('test');
const { hasZstdCommand } = await import('../dist/src/infrastructure/zstd-command.js');
if (!hasZstdCommand()) installByApt('zstd');
if (!hasZstdCommand())
  say('zstd could not be installed: tests of dumps and exports fail until you install it yourself.');
if (isOf('programs')) installCommands();
if (isOf('browser')) await prepareBrowser();
await runJest(process.argv.slice(2));

function installCommands() {
  if (spawnSync('psql', ['--version']).error !== undefined) installByApt('postgresql-client');
  for (const [module, name] of [
    ['httpx', 'python3-httpx'],
    ['pandas', 'python3-pandas'],
    ['build', 'python3-build'],
    ['wheel', 'python3-wheel'],
  ])
    if (spawnSync('/usr/bin/python3', ['-c', `import ${module}`]).status !== 0) installByApt(name);
}

async function prepareBrowser() {
  if (!(await prepareDashboard())) process.exit(1);
  if (findChromium() === undefined) installByApt('chromium');
  const chromium = findChromium();
  if (chromium === undefined) {
    say(`The dashboard tests need Chromium, which could not be installed automatically. ${REMEDY}`);
    process.exit(1);
  }
  process.env.CHROMIUM = chromium;
}
