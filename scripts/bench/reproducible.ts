import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { StartLine } from '../../src/launcher/harness.js';

const START = join(import.meta.dirname, '../../../scripts/start.mjs');
const POSTS = 100;
const JOB_TIMEOUT_MS = 120_000;

/**
 * Starts an ephemeral service `--runs` times (default 5), scrapes the same 100 posts with their comments, and compares
 * the digests of everything stored except the workspace's id, the times of scraping and the platform's port. `distinct`
 * is 1 when all runs are identical to the byte.
 */
export async function run(args: readonly string[]): Promise<object> {
  const { values } = parseArgs({ args: [...args], options: { runs: { type: 'string', default: '5' } } });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > 1_000)
    throw new RangeError('--runs must be a whole number from 1 to 1000');
  const digests: string[] = [];
  const seconds: number[] = [];
  for (let done = 0; done < runs; done += 1) {
    const began = performance.now();
    digests.push(await digestOfOneRun());
    seconds.push(Number(((performance.now() - began) / 1_000).toFixed(1)));
  }
  return { runs, distinct: new Set(digests).size, digest: digests[0], seconds };
}

async function digestOfOneRun(): Promise<string> {
  const child = spawn(process.execPath, [START, '--json', '--ephemeral'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOG_LEVEL: 'error' },
  });
  try {
    const [text] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const line = JSON.parse(text) as StartLine;
    await scrape(line);
    const hash = createHash('sha256');
    for (const of of ['posts', 'comments']) {
      const text = await (await request(line, 'GET', `/exports/${of}?format=json`)).text();
      const rows = JSON.parse(text.replaceAll(line.platform_url!, 'http://platform')) as object[];
      hash.update(
        JSON.stringify(rows.map((row) => ({ ...row, workspace_id: undefined, scraped_at: undefined }))),
      );
    }
    return hash.digest('hex');
  } finally {
    const exited = once(child, 'exit');
    if (child.kill('SIGTERM')) await exited;
  }
}

async function scrape(line: StartLine): Promise<void> {
  const body = { target: 'technology', limit: POSTS, download_media: false };
  let job = (await (await request(line, 'POST', '/jobs', body)).json()) as { id: string; status: string };
  for (
    const deadline = performance.now() + JOB_TIMEOUT_MS;
    job.status === 'pending' || job.status === 'running';
    await sleep(50)
  ) {
    if (performance.now() > deadline)
      throw new Error(`The job has not ended after ${JOB_TIMEOUT_MS / 1_000} s`);
    job = (await (await request(line, 'GET', `/jobs/${job.id}`)).json()) as typeof job;
  }
  if (job.status !== 'completed') throw new Error(`The job ended as ${job.status}: ${JSON.stringify(job)}`);
}

async function request(line: StartLine, method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${line.base_url}/api/v1/workspaces/${line.workspace_id}${path}`, {
    method,
    headers: { 'X-API-Key': line.api_key!, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}
