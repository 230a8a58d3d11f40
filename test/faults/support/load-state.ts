import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../../scripts/bench/support/query.js';
import { rowsOf } from './results.js';

/** A job as stored. */
export interface StoredJob {
  id: string;
  target: string;
  status: string;
  error: string | null;
  posts: number;
  comments: number;
  isScheduled: boolean;
  /** Seconds from its creation to its end. */
  seconds: number | null;
}

/** An event as stored; `subjectId` is the bare id of its job or alert. */
export interface StoredEvent {
  id: string;
  type: string;
  subjectId: string;
}

/** The state of a workspace that faults must not change. */
export interface StoredState {
  jobs: StoredJob[];
  /** Jobs created by occurrences of schedules. */
  occurrenceJobs: string[];
  events: StoredEvent[];
  posts: { count: number; digest: string };
  comments: { count: number; digest: string };
}

/**
 * Reads a workspace. Leaves out the keywords of posts, because they depend on the order in which other posts were
 * stored.
 */
export async function readState(databaseUrl: string, workspaceId: string): Promise<StoredState> {
  const rows = <T extends object>(text: string): Promise<T[]> => query<T>(databaseUrl, text, [workspaceId]);
  return {
    jobs: await rows<StoredJob>(
      `SELECT id, target, status, concat_ws(': ', error_code, error_message) AS error, posts_scraped AS posts,
         comments_scraped AS comments, schedule_id IS NOT NULL AS "isScheduled",
         extract(epoch FROM completed_at - created_at)::float8 AS seconds
       FROM jobs WHERE workspace_id = $1`,
    ),
    occurrenceJobs: (
      await rows<{ id: string }>(
        'SELECT job_id AS id FROM schedule_runs WHERE workspace_id = $1 AND job_id IS NOT NULL',
      )
    ).map(({ id }) => id),
    events: await rows<StoredEvent>(
      'SELECT id, type, subject_id AS "subjectId" FROM outbox_events WHERE workspace_id = $1',
    ),
    posts: await rowsOf(databaseUrl, workspaceId, 'posts', ['scraped_at', 'keywords']),
    comments: await rowsOf(databaseUrl, workspaceId, 'comments', ['scraped_at']),
  };
}

/** Unfinished work of all workspaces. */
export interface OpenWork {
  jobs: number;
  events: number;
  deliveries: number;
}

/** Polls until no job, event or delivery is unfinished; returns what is left after the time limit. */
export async function waitUntilDone(databaseUrl: string, timeoutMs: number): Promise<OpenWork> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(250)) {
    const [open] = await query<OpenWork>(
      databaseUrl,
      `SELECT (SELECT count(*) FROM jobs WHERE status IN ('pending', 'running'))::int AS jobs,
         (SELECT count(*) FROM outbox_events WHERE relayed_at IS NULL)::int AS events,
         (SELECT count(*) FROM deliveries WHERE status = 'pending')::int AS deliveries`,
      [],
    );
    if (open!.jobs + open!.events + open!.deliveries === 0 || performance.now() > deadline) return open!;
  }
}
