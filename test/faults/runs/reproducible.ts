import { createHash } from 'node:crypto';
import { rounded, secondsOf } from '../../../scripts/bench/support/measure.js';
import { numbersOf } from '../../../scripts/bench/support/options.js';
import { call } from '../../support/client.js';
import { runJob } from '../../support/jobs.js';
import { startFromCommand } from '../../support/started-service.js';

const POSTS = 100;
const JOB_TIMEOUT_MS = 120_000;

/**
 * Starts an ephemeral service `--runs` times (default 5), scrapes the same 100 posts with their comments, and compares
 * the digests of everything stored except the workspace's id, the times of scraping and the platform's port. `distinct`
 * is 1 when all runs are identical to the byte.
 */
export async function run(args: string[]): Promise<object> {
  const { runs } = numbersOf(args, { runs: 5 });
  if (!Number.isInteger(runs) || runs < 1 || runs > 1_000)
    throw new RangeError('--runs must be a whole number from 1 to 1000');
  const digests: string[] = [];
  const seconds: number[] = [];
  while (digests.length < runs)
    seconds.push(rounded(await secondsOf(async () => digests.push(await digestOfOneRun())), 1));
  return { runs, distinct: new Set(digests).size, digest: digests[0], seconds };
}

async function digestOfOneRun(): Promise<string> {
  const service = await startFromCommand(['--json', '--ephemeral'], { ...process.env, LOG_LEVEL: 'error' });
  try {
    const {
      base_url: url,
      workspace_id: workspaceId,
      api_key: apiKey,
      platform_url: platform,
    } = service.line;
    const path = (resource: string): string => `/api/v1/workspaces/${workspaceId}${resource}`;
    const workspace = { workspaceId, apiKey, path };
    const job = await runJob(
      { url },
      workspace,
      { target: 'technology', limit: POSTS, download_media: false },
      JOB_TIMEOUT_MS,
    );
    if (job.status !== 'completed') throw new Error(`The job ended as ${JSON.stringify(job)}`);
    const hash = createHash('sha256');
    for (const of of ['posts', 'comments']) {
      const rows = await call<object[]>({ url }, workspace, 'GET', `/exports/${of}?format=json`);
      const kept = rows.map((row) => ({ ...row, workspace_id: undefined, scraped_at: undefined }));
      hash.update(JSON.stringify(kept).replaceAll(platform, 'http://platform'));
    }
    return hash.digest('hex');
  } finally {
    await service.end();
  }
}
