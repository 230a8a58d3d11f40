import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../scripts/lib/prepare.mjs';
import { npm, useClient } from './client-project.mjs';
import { findPackage } from './package-cache.mjs';

const START_TIMEOUT_MS = 60_000;
const JOB_TIMEOUT_MS = 60_000;

/** The executable of a version; null when it is not available. */
export function findNode(version) {
  const folder = findPackage(`node@${version}`);
  return folder && join(folder, 'node_modules/node/bin/node');
}

/** Throws when npm warns about the version for the service's locked dependencies. */
export function checkInstallation(node, folder) {
  const copy = mkdtempSync(join(folder, 'install-'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(ROOT, name), join(copy, name));
  refuseWarnings(npm(node, copy, 'ci', '--dry-run', '--ignore-scripts'));
}

/** Throws when npm warns about the version for the packed client. */
export function checkClient(node, folder, archive) {
  refuseWarnings(useClient(archive, folder, node).printed);
}

function refuseWarnings(printed) {
  if (/EBADENGINE|ERESOLVE/.test(printed)) throw new Error(printed);
}

/** Runs the specs that need no server. Throws when one fails. */
export function runSpecs(node) {
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', 'jest.nodes.config.mjs'];
  execFileSync(node, ['--experimental-vm-modules', '--no-warnings', ...jest, '--reporters=summary'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
}

/** Throws unless the only output of a start is the sentence about the version that is needed. */
export function checkRefusal(node) {
  const { status, stderr } = spawnSync(node, [join(ROOT, 'scripts/run.cjs'), 'start'], { encoding: 'utf8' });
  if (status !== 1 || !/^The service needs Node\.js .*, but this is \d+\.\d+\.\d+\. .*\n$/.test(stderr))
    throw new Error(`ended with ${status}: ${stderr}`);
}

/** Starts the service with embedded servers, scrapes and stops it. */
export async function scrape(node) {
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
