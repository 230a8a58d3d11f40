import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { JobsRepository } from '../../src/modules/jobs/jobs.repository.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { digestWorkspace } from '../support/rows.js';

const TOKEN = 'a-token-of-the-operator';

describe('a job', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let dataSource: DataSource;

  beforeAll(async () => {
    service = await startTestApplication({ ADMIN_TOKEN: TOKEN });
    dataSource = service.app.get(DataSource);
    workspace = await service.createWorkspace();
  });
  afterAll(() => service.close());

  async function insertJob(status: string): Promise<string> {
    const id = randomUUID();
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, started_at, completed_at, posts_scraped)
       VALUES ($1, $2, 'technology', 'forum', 'full', 100, false, false, $3, '2026-01-01', '2026-01-02', 7)`,
      [workspace.workspaceId, id, status],
    );
    return id;
  }
  const cancel = (id: string) =>
    fetch(service.url + workspace.path(`/jobs/${id}`), {
      method: 'DELETE',
      headers: { 'X-API-Key': workspace.apiKey },
    });

  it.each(['completed', 'failed', 'cancelled'])(
    'that has ended as %s cannot be cancelled, and is left as it is',
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

  it.each(['pending', 'running'])('that is %s cannot be retried, and is left as it is', async (status) => {
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

  it('is not read when none is named', async () => {
    await insertJob('completed');
    expect(await service.app.get(JobsRepository).findEach([])).toEqual(new Map());
  });

  it.each(['pending', 'running'])('that is %s is cancelled, and no other', async (status) => {
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
