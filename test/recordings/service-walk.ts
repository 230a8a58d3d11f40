import pg from 'pg';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { runJob } from '../support/jobs.js';
import { scrapingFrom } from '../support/sandbox.js';
import { idsHash, recordedWalks, Replay } from './replay.js';

/** Number of parallel jobs, as many as a worker executes. */
const CONCURRENCY = 4;

/** The result of one job; `requests` is the number it needed. */
export interface JobWalk {
  target: string;
  status: string;
  error: string | null;
  posts: number;
  posts_sha256: string;
  comments: number;
  comments_sha256: string;
  requests: number | undefined;
}

/**
 * Scrapes every recorded target through the service, from a replay with these flags. `meanwhile` is called with the
 * database's address when the first job begins.
 */
export async function walkAll(
  flags: string[],
  meanwhile: (databaseUrl: string) => Promise<void> = () => Promise.resolve(),
): Promise<JobWalk[]> {
  const replay = await Replay.start('--compose', '--require-token', ...flags);
  const service: TestApplication = await startTestApplication(scrapingFrom(replay.url));
  const database = new pg.Client({ connectionString: service.environment.DATABASE_URL });
  try {
    await database.connect();
    const found: JobWalk[] = [];
    const waiting = recordedWalks();
    const walkWaiting = async (): Promise<void> => {
      for (let walk = waiting.shift(); walk !== undefined; walk = waiting.shift()) {
        const workspace = await service.createWorkspace(walk.target);
        const job = await runJob(
          service,
          workspace,
          { target: walk.target, target_type: walk.target_type, limit: 10_000, download_media: false },
          300_000,
        );
        const ids = async (table: string, column: string): Promise<string[]> =>
          (
            await database.query<{ id: string }>(
              `SELECT ${column} AS id FROM ${table} WHERE workspace_id = $1`,
              [workspace.workspaceId],
            )
          ).rows.map((row) => row.id);
        found.push({
          target: walk.target,
          status: job.status,
          error: job.error_message,
          posts: job.posts_scraped,
          posts_sha256: idsHash(await ids('posts', 'id')),
          comments: job.comments_scraped,
          comments_sha256: idsHash(await ids('comments', 'comment_id')),
          requests: job.progress.requests,
        });
      }
    };
    await Promise.all([
      ...Array.from({ length: CONCURRENCY }, walkWaiting),
      meanwhile(service.environment.DATABASE_URL!),
    ]);
    return found.sort((a, b) => a.target.localeCompare(b.target));
  } finally {
    await database.end();
    await service.close();
    await replay.stop();
  }
}

/** The expected result of {@link walkAll}, whatever failed on the way. */
export const expectedWalks = (): Omit<JobWalk, 'requests'>[] =>
  recordedWalks()
    .map((walk) => ({
      target: walk.target,
      status: 'completed',
      error: null,
      posts: walk.posts,
      posts_sha256: walk.posts_sha256,
      comments: walk.comments,
      comments_sha256: walk.comments_sha256,
    }))
    .sort((a, b) => a.target.localeCompare(b.target));

/** The result without the parts that may differ between two complete walks. */
export const withoutRequests = (found: readonly JobWalk[]): Omit<JobWalk, 'requests'>[] =>
  found.map(({ requests: _, ...rest }) => rest);
