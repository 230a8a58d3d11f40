import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import config from '../jest.config.mjs';
import { compiledText, drawn, faultsOf, seededNumbers, withFault } from './lib/faults.mjs';
import { compiled, filesBelow, prepare, ROOT, say } from './lib/prepare.mjs';
import { importers, reachingSpecs } from './lib/reaching-specs.mjs';

// `npm run mutants -- [PATH…] [--count N] [--seed S] [--seconds T]`: draws faults in source files, by default in all of
// src, runs the specs that reach each, and prints those that no spec notices; see docs/testing.md. No fault begins after
// T seconds. Exits with 1 only if it cannot do that.
const LIMITS = { mostNear: 6, mostWide: 3 };
/** A fault can make a loop endless, and a busy machine a spec slow, so such a run says nothing. */
const RUN_MS = 180_000;
/** Without rules of their own, or compiled with the plugin of Swagger. */
const LEFT_OUT =
  /\.(?:spec|d|dto|controller|module|entity)\.ts$|^src\/(?:database\/migrations|openapi|sandbox)\//;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    seconds: { type: 'string', default: 'Infinity' },
  },
});
const [count, seed, seconds] = [values.count, values.seed, values.seconds].map(Number);
if (!(count >= 1) || !Number.isInteger(seed) || !(seconds > 0)) {
  say('Usage: npm run mutants -- [PATH…] [--count N] [--seed S] [--seconds T], with positive whole numbers.');
  process.exit(1);
}

await prepare('test');
const files = (positionals.length === 0 ? ['src'] : positionals)
  .flatMap((path) => (statSync(resolve(ROOT, path)).isDirectory() ? filesBelow(resolve(ROOT, path)) : [path]))
  .map((path) => relative(ROOT, resolve(ROOT, path)))
  .filter((path) => /^src\/.*\.ts$/.test(path) && !LEFT_OUT.test(path));
const sources = new Map([...new Set(files)].map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const all = [...sources].flatMap(([path, text]) => faultsOf(text).map((fault) => ({ path, fault })));
const faults = drawn(all, count, seededNumbers(seed));
say(`${faults.length} of ${all.length} faults in ${sources.size} files, drawn by --seed ${seed}`);

const graph = importers();
const scratch = mkdtempSync(join(tmpdir(), 'mutants-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const { default: startServers } = await compiled('test/support/global-setup.js');
const { default: stopServers } = await compiled('test/support/global-teardown.js');
await startServers();
const jestConfig = JSON.stringify({
  ...config,
  rootDir: join(ROOT, 'dist'),
  reporters: ['default'],
  globalSetup: undefined,
  globalTeardown: undefined,
});

/** Runs specs with a compiled text in place of a file's; the first that failed, "" for a run without results, or null. */
function failed(specs, replaced) {
  return new Promise((resolve, reject) => {
    const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', jestConfig, '--runTestsByPath'];
    const child = spawn(
      process.execPath,
      ['--experimental-vm-modules', '--no-warnings', ...jest, ...specs, '--bail', '--runInBand'],
      {
        cwd: join(ROOT, 'dist'),
        env: { ...process.env, REPLACED_MODULE: replaced },
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: RUN_MS,
        killSignal: 'SIGKILL',
      },
    );
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve(code === 0 ? null : (/^.*FAIL.* (\S+\.spec\.js)/m.exec(output)?.[1] ?? '')),
    );
  });
}

/** Whether specs pass without a fault, each asked once. */
const passing = new Map();
async function passes(spec) {
  if (!passing.has(spec)) passing.set(spec, (await failed([spec], '')) === null);
  return passing.get(spec);
}

/** The spec that notices a fault, "" for a run without results, or null for a survivor. */
async function noticing(path, fault) {
  const replacement = join(scratch, 'replacement.js');
  writeFileSync(replacement, compiledText(withFault(sources.get(path), fault), join(ROOT, 'tsconfig.json')));
  const replaced = `${join(ROOT, 'dist', path.replace(/\.ts$/, '.js'))}=${replacement}`;
  const { near, wide } = reachingSpecs(path, graph, LIMITS);
  // Jest begins with the largest of several, so the first, which notices most faults, runs by itself.
  for (let specs of [near.slice(0, 1), near.slice(1), wide])
    while (specs.length > 0) {
      const spec = await failed(specs, replaced);
      if (spec === null) break;
      if (spec === '' || (await passes(spec))) return spec;
      specs = specs.filter((one) => one !== spec);
    }
  return null;
}

const shown = (text) => (text === '' ? 'nothing' : text.replace(/\s+/g, ' ').slice(0, 100));
const domains = new Map();
const deadline = performance.now() + seconds * 1_000;
for (const { path, fault } of faults) {
  if (performance.now() > deadline) break;
  const spec = await noticing(path, fault);
  const result = spec === null ? 'survived' : spec === '' ? 'no result' : 'noticed';
  for (const name of [path.split('/').slice(0, -1)[1] ?? 'src', 'all']) {
    const counts = domains.get(name) ?? { drawn: 0, noticed: 0, 'no result': 0, survived: 0 };
    counts.drawn += 1;
    counts[result] += 1;
    domains.set(name, counts);
  }
  if (result !== 'noticed')
    console.log(`${path}:${fault.line}: ${result}: ${shown(fault.from)} → ${shown(fault.to)}`);
}
await stopServers();
for (const [spec, isGreen] of passing)
  if (!isGreen) say(`${spec} fails without a fault, so it was left out.`);
console.log('\n| Domain | Drawn | Noticed | No result |\n|---|---|---|---|');
for (const [name, counts] of [...domains].sort())
  console.log(`| ${name} | ${counts.drawn} | ${counts.noticed} | ${counts['no result']} |`);
// Sockets of the servers' clients stay open.
process.exit(0);
