import { migrate } from '../../src/database/run-migrations.js';
import { insertJob, resultOf, waitUntil, Worker } from './support/chaos.js';
import { startPlatform } from './support/platform.js';
import { resourcesOf } from './support/resources.js';
import { benchServers } from './support/servers.js';

const FORUMS = ['--forum', 'large:50000:2', '--forum', 'deep:1:20000'];
const TIMEOUT_MS = 600_000;

/**
 * Peak memory of a worker for the posts of one job with the highest limit in a forum of 50,000 posts, and for a thread
 * of 20,000 comments.
 */
export async function run(): Promise<Record<string, number>> {
  const { databaseUrl, redisUrl } = await benchServers();
  await migrate(databaseUrl);
  const platform = await startPlatform(...FORUMS);
  const worker = await new Worker(
    { databaseUrl, redisUrl, platformUrl: platform.url },
    { ARCHIVE_BASE_URL: `${platform.url}/archive` },
  ).ready();
  try {
    const jobs = [
      await insertJob(databaseUrl, { target: 'large', limit: 10_000, mode: 'history' }),
      await insertJob(databaseUrl, { target: 'deep', limit: 1 }),
    ];
    const results = [];
    for (const { workspaceId, jobId } of jobs) {
      await waitUntil(databaseUrl, jobId, () => false, TIMEOUT_MS);
      results.push(await resultOf(databaseUrl, workspaceId));
    }
    return {
      posts: results[0]!.posts,
      commentsOfPosts: results[0]!.comments,
      commentsOfThread: results[1]!.comments,
      ...resourcesOf(worker.pid),
    };
  } finally {
    await worker.end('SIGTERM');
    platform.stop();
  }
}
