import { randomUUID } from 'node:crypto';
import { until } from './measure.js';
import { query } from './query.js';

/** The settings that processes of one installation share. */
export interface Installation {
  databaseUrl: string;
  redisUrl: string;
  platformUrl: string;
  /** Folder of media files; the service's default when absent. */
  dataDir?: string;
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

/** A scrape of a forum; without `workspaceId`, it gets a workspace of its own. */
export interface NewJob {
  target: string;
  limit: number;
  mode?: string;
  media?: boolean;
  workspaceId?: string;
}

/** Inserts pending jobs only into Postgres; workers find them by polling. */
export async function insertJobs(
  databaseUrl: string,
  jobs: readonly NewJob[],
): Promise<{ workspaceId: string; jobId: string }[]> {
  const rows = jobs.map((job) => ({ workspaceId: randomUUID(), mode: 'full', media: false, ...job }));
  const created = rows.map((row) => ({ ...row, jobId: randomUUID() }));
  await query(
    databaseUrl,
    `INSERT INTO workspaces (id, name) SELECT DISTINCT id, 'Chaos' FROM unnest($1::uuid[]) AS id
     ON CONFLICT DO NOTHING`,
    [created.map(({ workspaceId }) => workspaceId)],
  );
  await query(
    databaseUrl,
    `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments)
     SELECT "workspaceId", "jobId", target, 'forum', mode, "limit", media, true
     FROM jsonb_to_recordset($1::jsonb)
       AS job ("workspaceId" uuid, "jobId" uuid, target text, mode text, "limit" int, media boolean)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(created)],
  );
  return created;
}

/** Inserts one pending job, as {@link insertJobs} does. */
export async function insertJob(
  databaseUrl: string,
  job: NewJob,
): Promise<{ workspaceId: string; jobId: string }> {
  return (await insertJobs(databaseUrl, [job]))[0]!;
}

/** A job as stored; what it needed is null before its end. */
export interface JobState {
  status: string;
  posts: number;
  comments: number;
  requests: number | null;
  seconds: number | null;
}

/** Polls until `isReached` or the job has ended. */
export async function waitUntil(
  databaseUrl: string,
  jobId: string,
  isReached: (job: JobState) => boolean,
  timeoutMs: number,
): Promise<JobState> {
  const read = async (): Promise<JobState | undefined> =>
    (
      await query<JobState>(
        databaseUrl,
        `SELECT status, posts_scraped AS posts, comments_scraped AS comments, (progress->>'requests')::int AS requests,
           extract(epoch FROM completed_at - started_at)::float8 AS seconds
         FROM jobs WHERE id = $1`,
        [jobId],
      )
    )[0];
  const isDone = (job?: JobState): boolean =>
    job !== undefined && (isReached(job) || !['pending', 'running'].includes(job.status));
  return (await until(read, isDone, timeoutMs))!;
}
