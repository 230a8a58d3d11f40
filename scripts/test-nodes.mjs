import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { npm, packClient, useClient } from './lib/client-project.mjs';
import { findPackage, PACKAGE_CACHE } from './lib/package-cache.mjs';
import { prepare, ROOT, say } from './lib/prepare.mjs';

// `npm run test:nodes [-- 20 22]`: tests the installation, the unit specs, a scrape of the service and the packed
// client on the supported versions of Node.js, by default on all but this one, on which the other tests run; and that an
// older one is refused with a sentence. A version that cannot be installed from the npm registry is skipped and reported.
const SUPPORTED = ['20', '22', '24', '26'];
const TOO_OLD = ['18'];
const OTHERS = [...TOO_OLD, ...SUPPORTED.filter((version) => !process.version.startsWith(`v${version}.`))];
const START_TIMEOUT_MS = 60_000;
const JOB_TIMEOUT_MS = 60_000;

/** The executable of a version; null when it is not available. */
function findNode(version) {
  const folder = findPackage(`node@${version}`);
  return folder && join(folder, 'node_modules/node/bin/node');
}

/** Throws when npm warns about the version for the service's locked dependencies. */
function checkInstallation(node, folder) {
  const copy = mkdtempSync(join(folder, 'install-'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(ROOT, name), join(copy, name));
  refuseWarnings(npm(node, copy, 'ci', '--dry-run', '--ignore-scripts'));
}

function refuseWarnings(printed) {
  if (/EBADENGINE|ERESOLVE/.test(printed)) throw new Error(printed);
}

function runSpecs(node) {
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', 'jest.nodes.config.mjs'];
  execFileSync(node, ['--experimental-vm-modules', '--no-warnings', ...jest, '--reporters=summary'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
}

/** Throws unless the only output of a start is the sentence about the version that is needed. */
function checkRefusal(node) {
  const { status, stderr } = spawnSync(node, [join(ROOT, 'scripts/run.cjs'), 'start'], { encoding: 'utf8' });
  if (status !== 1 || !/^The service needs Node\.js .*, but this is \d+\.\d+\.\d+\. .*\n$/.test(stderr))
    throw new Error(`ended with ${status}: ${stderr}`);
}

/** Starts the service with embedded servers, scrapes and stops it. */
async function scrape(node) {
  const child = spawn(node, [join(ROOT, 'scripts/start.mjs'), '--json', '--ephemeral'], {
    cwd: ROOT,
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 2],
  });
  try {
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const [text] = await once(createInterface({ input: child.stdout }), 'line', { signal });
    const { base_url: base, workspace_id: workspace, api_key: key } = JSON.parse(text);
    const call = async (path, body) => {
      const response = await fetch(`${base}/api/v1/workspaces/${workspace}${path}`, {
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      return response.json();
    };
    let job = await call('/jobs', { target: 'technology', limit: 20 });
    const deadline = Date.now() + JOB_TIMEOUT_MS;
    while (['pending', 'running'].includes(job.status) && Date.now() < deadline) {
      await sleep(100);
      job = await call(`/jobs/${job.id}`);
    }
    const { total } = await call('/posts');
    if (job.status !== 'completed' || total !== 20) throw new Error(`not scraped: ${JSON.stringify(job)}`);
  } finally {
    const ended = once(child, 'exit');
    if (child.kill()) await ended;
  }
}

await prepare('test');
const given = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'test-nodes-'));
const skipped = [];
try {
  let archive;
  for (const version of given.length > 0 ? given : OTHERS) {
    const node = findNode(version);
    if (node === null) {
      skipped.push(version);
      continue;
    }
    const startedAt = performance.now();
    const name = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    const steps = TOO_OLD.includes(version)
      ? { refusal: () => checkRefusal(node) }
      : {
          installation: () => checkInstallation(node, folder),
          client: () => refuseWarnings(useClient((archive ??= packClient(folder)), folder, node).printed),
          specs: () => runSpecs(node),
          scrape: () => scrape(node),
        };
    for (const [step, run] of Object.entries(steps)) {
      try {
        await run();
      } catch (error) {
        throw new Error(`Node.js ${name}, ${step}: ${error.message}`, { cause: error });
      }
    }
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`Node.js ${name}: ${Object.keys(steps).join(', ')} passed in ${seconds} s`);
  }
} catch (error) {
  say(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (skipped.length > 0)
  say(`Skipped Node.js ${skipped.join(', ')}: not in ${PACKAGE_CACHE}, and npm could not install it.`);
