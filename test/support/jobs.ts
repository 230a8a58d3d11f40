import type { TestApplication, TestWorkspace } from './application.js';
import { call } from './client.js';
import { until } from './until.js';

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
  timeoutMs?: number,
): Promise<JobRecord> {
  const { id } = await call<JobRecord>(service, workspace, 'POST', '/jobs', body);
  return waitForEnd(service, workspace, id, timeoutMs);
}

export async function waitForEnd(
  service: Pick<TestApplication, 'url'>,
  workspace: TestWorkspace,
  id: string,
  timeoutMs?: number,
): Promise<JobRecord> {
  return until(
    () => call<JobRecord>(service, workspace, 'GET', `/jobs/${id}`),
    ({ status }) => status !== 'pending' && status !== 'running',
    { timeoutMs, everyMs: POLL_MS },
  );
}
