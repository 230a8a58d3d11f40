import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { query, rowsOf } from './rows.js';
import { ServiceProcess } from './service-process.js';

/** The settings that processes of one installation share. */
export interface Installation {
  databaseUrl: string;
  redisUrl: string;
  platformUrl: string;
  /** Folder of media files; the service's default when absent. */
  dataDir?: string;
}

/** The stored result of a job; two results differ if any row or count differs. */
export interface Result {
  status: string;
  error: string | null;
  posts: number;
  comments: number;
  media: number;
  storedPosts: number;
  storedComments: number;
  storedMedia: number;
  /** Digests of all stored rows. */
  postRows: string;
  commentRows: string;
  mediaRows: string;
  events: number;
}

/** Requests and time that a job needed. */
export interface Cost {
  requests: number;
  seconds: number;
}

/** A worker of the service in a process of its own, which can be killed at any moment. */
export class Worker extends ServiceProcess {
  constructor(installation: Installation, overrides: Record<string, string> = {}) {
    super({ ...scrapingVariables(installation), ROLES: 'worker', ...overrides });
  }
}

/** The variables of a process of this installation, with an unlimited budget of platform requests. */
export function scrapingVariables(installation: Installation): Record<string, string> {
  return {
    DATABASE_URL: installation.databaseUrl,
    REDIS_URL: installation.redisUrl,
    PLATFORM_BASE_URL: installation.platformUrl,
    PLATFORM_AUTH_URL: installation.platformUrl,
    PLATFORM_CLIENT_ID: 'chaos',
    PLATFORM_CLIENT_SECRET: 'chaos',
    PLATFORM_USER_AGENT: 'chaos',
    PLATFORM_REQUESTS_PER_MINUTE: '1000000',
    PORT: '0',
    ...(installation.dataDir !== undefined && { DATA_DIR: installation.dataDir }),
    LOG_LEVEL: process.env.CHAOS_LOG_LEVEL ?? 'fatal',
  };
}

/** Inserts a pending job only into Postgres; workers find it by polling. */
export async function insertJob(
  databaseUrl: string,
  job: { target: string; limit: number; mode?: string; media?: boolean },
): Promise<{ workspaceId: string; jobId: string }> {
  const [workspaceId, jobId] = [randomUUID(), randomUUID()];
  await query(databaseUrl, 'INSERT INTO workspaces (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    workspaceId,
    'Chaos',
  ]);
  await query(
    databaseUrl,
    `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
     VALUES ($1, $2, $3, 'forum', $4, $5, $6, true) ON CONFLICT DO NOTHING`,
    [workspaceId, jobId, job.target, job.mode ?? 'full', job.limit, job.media ?? false],
  );
  return { workspaceId, jobId };
}

export interface Counters {
  status: string;
  posts: number;
  comments: number;
}

/** Null for an unknown job. */
async function readCounters(databaseUrl: string, jobId: string): Promise<Counters | null> {
  const rows = await query<Counters>(
    databaseUrl,
    'SELECT status, posts_scraped AS posts, comments_scraped AS comments FROM jobs WHERE id = $1',
    [jobId],
  );
  return rows[0] ?? null;
}

/** Polls until `isReached` or the job has ended. */
export async function waitUntil(
  databaseUrl: string,
  jobId: string,
  isReached: (counters: Counters) => boolean,
  timeoutMs: number,
): Promise<Counters> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(20)) {
    const counters = await readCounters(databaseUrl, jobId);
    if (counters && (isReached(counters) || !['pending', 'running'].includes(counters.status)))
      return counters;
    if (Date.now() > deadline) throw new Error(`Not in time: ${JSON.stringify(counters)}`);
  }
}

export async function costOf(databaseUrl: string, workspaceId: string): Promise<Cost> {
  const [cost] = await query<Cost>(
    databaseUrl,
    `SELECT (progress->>'requests')::int AS requests,
       extract(epoch FROM completed_at - started_at)::float8 AS seconds
     FROM jobs WHERE workspace_id = $1`,
    [workspaceId],
  );
  return cost!;
}

/** The stored result of the workspace's only job. */
export async function resultOf(databaseUrl: string, workspaceId: string): Promise<Result> {
  const [job] = await query<Pick<Result, 'status' | 'error' | 'posts' | 'comments' | 'media' | 'events'>>(
    databaseUrl,
    `SELECT status, error_message AS error, posts_scraped AS posts, comments_scraped AS comments,
       media_downloaded AS media,
       (SELECT count(*)::int FROM outbox_events WHERE workspace_id = $1) AS events
     FROM jobs WHERE workspace_id = $1`,
    [workspaceId],
  );
  const posts = await rowsOf(databaseUrl, workspaceId, 'posts', ['scraped_at']);
  const comments = await rowsOf(databaseUrl, workspaceId, 'comments', ['scraped_at']);
  const media = await rowsOf(databaseUrl, workspaceId, 'media_files', ['id', 'created_at', 'path']);
  return {
    ...job!,
    storedPosts: posts.count,
    storedComments: comments.count,
    storedMedia: media.count,
    postRows: posts.digest,
    commentRows: comments.digest,
    mediaRows: media.digest,
  };
}
