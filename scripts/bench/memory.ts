import { Bench } from './support/harness.js';
import { insertJob, waitUntil } from './support/jobs.js';
import { resourcesOf } from './support/resources.js';

const FORUMS = ['--forum', 'large:50000:2', '--forum', 'deep:1:20000'];
const TIMEOUT_MS = 600_000;

/**
 * Peak memory of a worker for the posts of one job with the highest limit in a forum of 50,000 posts, and for a thread
 * of 20,000 comments.
 */
export function run(): Promise<Record<string, number>> {
  return Bench.run(async (bench) => {
    const platform = await bench.platform(...FORUMS);
    const worker = await bench.worker(platform, { ARCHIVE_BASE_URL: `${platform}/archive` });
    const execute = async (target: string, limit: number, mode: string) => {
      const { jobId } = await insertJob(bench.databaseUrl, { target, limit, mode });
      return waitUntil(bench.databaseUrl, jobId, () => false, TIMEOUT_MS);
    };
    const [large, deep] = await Promise.all([
      execute('large', 10_000, 'history'),
      execute('deep', 1, 'full'),
    ]);
    return {
      posts: large.posts,
      commentsOfPosts: large.comments,
      commentsOfThread: deep.comments,
      ...resourcesOf(worker.pid),
    };
  });
}
