import pg from 'pg';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { runJob } from '../support/jobs.js';
import { scrapingFrom } from '../support/sandbox.js';
import { describeRecordings, haveRecordings, idsHash, readJson, Replay, type WalkTarget } from './replay.js';

/** Jobs under way together; a worker runs as many. */
const AT_ONCE = 4;

const walks = haveRecordings ? readJson<WalkTarget[]>('expected-walk.json') : [];

describeRecordings('scraping everything that was recorded, through the service', () => {
  async function walkAll(flags: string[]): Promise<Record<string, unknown>[]> {
    const replay = await Replay.start('--compose', '--require-token', ...flags);
    const service: TestApplication = await startTestApplication(scrapingFrom(replay.url));
    const database = new pg.Client({ connectionString: service.environment.DATABASE_URL });
    try {
      await database.connect();
      const found: Record<string, unknown>[] = [];
      const waiting = [...walks];
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
      await Promise.all(Array.from({ length: AT_ONCE }, walkWaiting));
      return found.sort((a, b) => String(a.target).localeCompare(String(b.target)));
    } finally {
      await database.end();
      await service.close();
      await replay.stop();
    }
  }

  const expected = walks
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

  it('stores exactly what a whole walk finds, with no request to spare', async () => {
    const found = await walkAll([]);
    expect(found.map(({ requests: _, ...rest }) => rest)).toEqual(expected);
    const wasteful = walks.filter((walk) => {
      const requests = found.find((one) => one.target === walk.target)?.requests as number;
      return requests > Math.max(walk.frugal_requests, Math.floor(walk.frugal_requests * 1.02));
    });
    expect(wasteful).toEqual([]);
  }, 400_000);

  it('stores the same when a third of all answers fail', async () => {
    const found = await walkAll([
      '--fail-rate',
      '0.3',
      '--faults',
      '429,500,503,truncate,reset,slow',
      '--slow-ms',
      '100',
      '--retry-after',
      '0',
    ]);
    expect(found.map(({ requests: _, ...rest }) => rest)).toEqual(expected);
  }, 400_000);

  it('stores the same when tokens end after every 50 requests', async () => {
    const found = await walkAll(['--expire-token-after', '50']);
    expect(found.map(({ requests: _, ...rest }) => rest)).toEqual(expected);
  }, 400_000);
});
