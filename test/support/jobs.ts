import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApplication, TestWorkspace } from './application.js';
import { call } from './client.js';

const POLL_MS = 200;

export interface JobRecord {
  id: string;
  status: string;
  posts_scraped: number;
  comments_scraped: number;
  media_downloaded: number;
  error_message: string | null;
  started_at: string | null;
  completed_at: string | null;
  duration_seconds: number | null;
  progress: Record<string, unknown> & { requests?: number };
}

/** Starts a job and returns its record once it has ended; throws if it has not ended within `timeoutMs`. */
export async function runJob(
  service: Pick<TestApplication, 'url'>,
  workspace: TestWorkspace,
  body: Record<string, unknown>,
  timeoutMs = 60_000,
): Promise<JobRecord> {
  const { id } = await call<JobRecord>(service, workspace, 'POST', '/jobs', body);
  return waitForEnd(service, workspace, id, timeoutMs);
}

export async function waitForEnd(
  service: Pick<TestApplication, 'url'>,
  workspace: TestWorkspace,
  id: string,
  timeoutMs = 60_000,
): Promise<JobRecord> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(POLL_MS)) {
    const job = await call<JobRecord>(service, workspace, 'GET', `/jobs/${id}`);
    if (job.status !== 'pending' && job.status !== 'running') return job;
    if (Date.now() > deadline) throw new Error(`The job has not ended in time: ${JSON.stringify(job)}`);
  }
}
