import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { JobProgressRepository } from '../../src/collect/jobs/job-progress.repository.js';
import { JobsRepository } from '../../src/collect/jobs/jobs.repository.js';
import { aJob } from '../factories/executions.js';
import { startTestApplication } from '../support/application.js';
import { digestWorkspace } from '../support/rows.js';

const TOKEN = 'token-of-the-operator-of-32-characters';

const service = await startTestApplication({ ADMIN_TOKEN: TOKEN });
const dataSource = service.app.get(DataSource);
const workspace = await service.createWorkspace();

describe('a job', () => {
  async function insertJob(
    status: string,
    { workspaceId } = workspace,
    id: string = randomUUID(),
  ): Promise<string> {
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, started_at, completed_at, posts_scraped)
       VALUES ($1, $2, 'technology', 'forum', 'full', 100, false, false, $3, '2026-01-01', '2026-01-02', 7)`,
      [workspaceId, id, status],
    );
    return id;
  }
  const cancel = (id: string) =>
    fetch(service.url + workspace.path(`/jobs/${id}`), {
      method: 'DELETE',
      headers: { 'X-API-Key': workspace.apiKey },
    });

  it.each(['completed', 'failed', 'cancelled'])(
    'that has ended as %s cannot be cancelled and stays unchanged',
    async (status) => {
      const id = await insertJob(status);
      const before = await digestWorkspace(dataSource, workspace.workspaceId);
      const answer = await cancel(id);
      expect([answer.status, await answer.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'job_not_cancellable' }),
      ]);
      expect(await digestWorkspace(dataSource, workspace.workspaceId)).toEqual(before);
    },
  );

  it.each(['completed', 'failed', 'cancelled'])(
    'that has ended as %s accepts neither progress nor another end from its execution',
    async (status) => {
      const { workspaceId } = workspace;
      const id = await insertJob(status);
      const jobs = service.get(JobProgressRepository);
      const before = await digestWorkspace(dataSource, workspaceId);
      expect(await jobs.findRunning(workspaceId, id, dataSource.manager)).toBeNull();
      expect(await jobs.addProgress(workspaceId, id, { requests: 5 })).toBe(false);
      const outcome = { status: 'failed', errorCode: 'unavailable', errorMessage: 'away' } as const;
      expect(await jobs.complete(workspaceId, id, outcome, {}, dataSource.manager)).toBeNull();
      expect(await digestWorkspace(dataSource, workspaceId)).toEqual(before);
    },
  );

  it.each(['pending', 'running'])('that is %s cannot be retried and stays unchanged', async (status) => {
    const id = await insertJob(status);
    const before = await digestWorkspace(dataSource, workspace.workspaceId);
    const answer = await fetch(`${service.url}/api/v1/admin/jobs/${id}/retry`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'job_not_retryable' }),
    ]);
    expect(await digestWorkspace(dataSource, workspace.workspaceId)).toEqual(before);
  });

  it('is not confused with the job of another workspace that has the same id', async () => {
    const { workspaceId } = workspace;
    // A statement without the workspace would find this row first, in the table as in its indexes.
    const other = { ...workspace, workspaceId: '00000000-0000-4000-8000-000000000000' };
    await dataSource.query('TRUNCATE jobs CASCADE');
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Other')`, [other.workspaceId]);
    const id = await insertJob('running', other);
    await insertJob('running', workspace, id);
    const { manager } = dataSource;
    const jobs = service.get(JobProgressRepository);
    expect(await jobs.complete(workspaceId, id, { status: 'completed' }, {}, manager)).toMatchObject({
      workspaceId,
    });
    expect(await service.app.get(JobsRepository).putBack(workspaceId, id, manager)).toMatchObject({
      workspaceId,
    });
  });

  it('is not read when no id is given', async () => {
    await insertJob('completed');
    expect(await service.app.get(JobsRepository).findEach([])).toEqual(new Map());
  });

  it('is the newest of its workspace by its creation', async () => {
    const { workspaceId } = await service.createWorkspace();
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments, created_at)
       SELECT $1, gen_random_uuid(), 'a', 'forum', 'full', 1, false, false, day::timestamptz
       FROM unnest('{2026-01-02,2026-01-03,2026-01-01}'::text[]) AS day`,
      [workspaceId],
    );
    const times = await service.app.get(JobsRepository).newestTimes([workspaceId]);
    expect(times).toEqual(new Map([[workspaceId, new Date('2026-01-03T00:00:00Z')]]));
  });

  it.each([
    { what: 'no job', jobs: [], gap: null },
    { what: 'the first job alone', jobs: ['full limit'], gap: null },
    { what: 'a job after the first', jobs: ['full limit', 'full limit'], gap: 1 },
    { what: 'a job that stored nothing', jobs: ['full limit', 'full none'], gap: null },
    { what: 'a whole pass', jobs: ['full limit', 'full limit', 'monitor up_to_date'], gap: null },
    {
      what: 'a pass that was cut short',
      jobs: ['full limit', 'monitor up_to_date', 'monitor limit'],
      gap: 2,
    },
    {
      what: 'several jobs after a whole pass, from the first of them on',
      jobs: ['full limit', 'monitor up_to_date', 'monitor limit', 'full limit'],
      gap: 2,
    },
    {
      what: 'a job after the latest whole pass',
      jobs: ['full limit', 'monitor up_to_date', 'monitor limit', 'monitor up_to_date', 'full limit'],
      gap: 4,
    },
  ])(
    'leaves a gap before monitor passes, which read on from the last whole one: $what',
    async ({ jobs, gap }) => {
      const { workspaceId } = await service.createWorkspace();
      const startOf = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
      for (const [hour, job] of jobs.entries()) {
        const [mode, stopReason] = job.split(' ');
        await dataSource.query(
          `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
           status, started_at, posts_scraped, progress)
         VALUES ($1, gen_random_uuid(), 'Technology', 'forum', $2, 9, false, false, 'completed', $3, $4,
           jsonb_build_object('stop_reason', $5::text))`,
          [workspaceId, mode, startOf(hour), stopReason === 'none' ? 0 : 9, stopReason],
        );
      }
      const monitor = aJob({ workspaceId, id: randomUUID(), target: 'technology', scrapeComments: false });
      const found = await service.get(JobProgressRepository).findEarlierReads(monitor);
      expect(found.gapStart).toEqual(gap === null ? null : startOf(gap));
      const whole = jobs.lastIndexOf('monitor up_to_date');
      expect(found.since).toEqual(whole < 0 ? null : startOf(whole));
    },
  );

  it.each(['pending', 'running'])('that is %s is cancelled without affecting others', async (status) => {
    const [id, other] = [await insertJob(status), await insertJob(status)];
    expect((await cancel(id)).status).toBe(200);
    const rows = await dataSource.query<{ id: string; status: string }[]>(
      'SELECT id, status FROM jobs WHERE id = ANY ($1)',
      [[id, other]],
    );
    expect(Object.fromEntries(rows.map((row) => [row.id, row.status]))).toEqual({
      [id]: 'cancelled',
      [other]: status,
    });
    expect((await cancel(id)).status).toBe(409);
  });
});
