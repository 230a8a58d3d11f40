import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApplication, TestWorkspace } from './application.js';

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

/** Calls the API as a client of the workspace would; throws with the answer when it is not a success. */
export async function call<T>(
  service: Pick<TestApplication, 'url'>,
  workspace: TestWorkspace,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(service.url + workspace.path(path), {
    method,
    headers: {
      'X-API-Key': workspace.apiKey,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Starts a job and returns its record once it has ended; throws when it has not within `timeoutMs`. */
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
