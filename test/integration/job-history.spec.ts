import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { JobHistoryPruner } from '../../src/modules/scraping/job-history-pruner.js';
import { JobLogRepository } from '../../src/modules/scraping/log/job-log.repository.js';
import { JobWorker } from '../../src/modules/scraping/job-worker.js';
import { startTestApplication, type TestApplication } from '../support/application.js';

describe('the history of jobs', () => {
  let service: TestApplication;
  let database: DataSource;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'worker', JOB_RETENTION_DAYS: '30' });
    database = service.app.get(DataSource);
    await service.app.get(JobWorker, { strict: false }).beforeApplicationShutdown();
  });
  afterAll(() => service.close());

  it('is deleted after its retention, in batches, with what is left of work lists', async () => {
    const { workspaceId } = await service.createWorkspace();
    const insert = (status: string, days: number | null, count: number) =>
      database.query(
        `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
           status, created_at, completed_at)
         SELECT $1, gen_random_uuid(), 'a', 'forum', 'full', 20, true, true, $2, now() - interval '90 days',
           now() - $3 * interval '1 day' FROM generate_series(1, $4)`,
        [workspaceId, status, days, count],
      );
    await insert('completed', 31, 3);
    await insert('failed', 40, 2);
    await insert('cancelled', 29, 1);
    await insert('running', null, 1);
    await insert('pending', null, 1);
    await database.query(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
       SELECT workspace_id, id, 't3_1', 0, true FROM jobs`,
    );
    await database.query(
      `INSERT INTO job_log (workspace_id, job_id, seq, at, level, event, message)
       SELECT workspace_id, id, 1, now(), 'info', 'created', 'The job was created' FROM jobs`,
    );
    const pruner = service.app.get(JobHistoryPruner, { strict: false });
    expect(await pruner.pruneBatch(2)).toBe(true);
    expect(await pruner.pruneBatch(2)).toBe(true);
    expect(await pruner.pruneBatch(2)).toBe(false);
    const left = await database.query<{ status: string }[]>('SELECT status FROM jobs ORDER BY status');
    expect(left.map(({ status }) => status)).toEqual(['cancelled', 'pending', 'running']);
    const [{ lists }] = await database.query<[{ lists: number }]>(
      'SELECT count(*)::int AS lists FROM job_posts',
    );
    expect(lists).toBe(3);
    const [{ logs }] = await database.query<[{ logs: number }]>('SELECT count(*)::int AS logs FROM job_log');
    expect(logs).toBe(3);
  });

  it('keeps the first hundred entries of a log and the newest four hundred', async () => {
    const { workspaceId } = await service.createWorkspace();
    const jobId = randomUUID();
    const log = service.app.get(JobLogRepository, { strict: false });
    for (let from = 1; from <= 700; from += 50)
      await log.append(
        workspaceId,
        jobId,
        Array.from({ length: 50 }, (_, index) => ({
          at: new Date(),
          level: 'info' as const,
          event: 'posts_stored',
          message: `${from + index}`,
          details: {},
        })),
      );
    const kept = (await log.list(workspaceId, jobId)).map(({ message }) => Number(message));
    expect(kept).toHaveLength(500);
    expect([kept[0], kept[99], kept[100], kept.at(-1)]).toEqual([1, 100, 301, 700]);
  });
});
