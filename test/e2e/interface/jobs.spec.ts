import { DataSource } from 'typeorm';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { Contract, ContractClient } from '../../support/contract.js';

interface JobRow {
  id: string;
  target: string;
  mode?: string;
  progress?: Record<string, unknown>;
}

describe('jobs beyond the interface', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
    client = new ContractClient(service, new Contract(service), workspace.apiKey);
  });
  afterAll(() => service.close());

  const create = async (body: Record<string, unknown>): Promise<JobRow> =>
    (await client.post<JobRow>(workspace.path('/jobs'), body)).body;
  const list = async (query: Record<string, string>): Promise<JobRow[]> =>
    (await client.get<{ jobs: JobRow[] }>(workspace.path('/jobs'), { query })).body.jobs;
  const idOf = (job: JobRow): string => job.id.slice('job_'.length);

  it('are listed by target in any case, by mode, and as whole records', async () => {
    const full = await create({ target: 'Listed', limit: 7 });
    const monitor = await create({ target: 'listed', mode: 'monitor' });
    await create({ target: 'listed2' });
    expect((await list({ target: 'LISTED' })).map(({ id }) => id)).toEqual([monitor.id, full.id]);
    expect((await list({ target: 'listed', mode: 'monitor' })).map(({ id }) => id)).toEqual([monitor.id]);
    expect(Object.keys((await list({ target: 'listed' }))[0]!)).not.toContain('progress');
    const { body: record } = await client.get<JobRow>(workspace.path(`/jobs/${full.id}`));
    expect(await list({ target: 'listed', mode: 'full', view: 'full' })).toEqual([record]);
  });

  it('refuse unknown modes and views', async () => {
    const refused: Record<string, string>[] = [{ mode: 'some' }, { view: 'half' }, { target: '' }];
    for (const query of refused)
      expect(await client.get(workspace.path('/jobs'), { query })).toMatchObject({ status: 400 });
  });

  it('are repeated with the same parameters as a new job of no schedule', async () => {
    const parameters = {
      target: 'again',
      target_type: 'user',
      mode: 'history',
      limit: 12,
      download_media: true,
      scrape_comments: false,
      plugins: ['bot_filter'],
    };
    const first = await create(parameters);
    await service.app.get(DataSource).query(
      `UPDATE jobs SET status = 'failed', error_code = 'unavailable', posts_scraped = 3, schedule_id = id,
           config = '{"limit": 12}' WHERE id = $1`,
      [idOf(first)],
    );
    const { status, body: again } = await client.post<JobRow>(
      workspace.path(`/jobs/${first.id}/repeat`),
      undefined,
    );
    expect(status).toBe(201);
    expect(again).toMatchObject({ target: 'again', status: 'pending', posts_scraped: 0, progress: {} });
    expect(again.id).not.toBe(first.id);
    const [row] = await service.app.get(DataSource).query<Record<string, unknown>[]>(
      `SELECT target, target_type, mode, post_limit AS "limit", download_media, scrape_comments, plugins, schedule_id, config
         FROM jobs WHERE id = $1`,
      [idOf(again)],
    );
    expect(row).toEqual({ ...parameters, schedule_id: null, config: { limit: 12 } });
  });

  it('are repeated once for one idempotency key', async () => {
    const { id } = await create({ target: 'once' });
    const headers = { 'Idempotency-Key': 'repeat-once' };
    const path = workspace.path(`/jobs/${id}/repeat`);
    const [one, other] = [
      await client.post(path, undefined, { headers }),
      await client.post(path, undefined, { headers }),
    ];
    expect(other.body).toEqual(one.body);
    expect(await list({ target: 'once' })).toHaveLength(2);
  });

  it('name the code with which they failed', async () => {
    const { id } = await create({ target: 'failed' });
    await service.app
      .get(DataSource)
      .query(`UPDATE jobs SET status = 'failed', error_code = 'target_banned' WHERE id = $1`, [id.slice(4)]);
    const { body } = await client.get<JobRow>(workspace.path(`/jobs/${id}`));
    expect(body.progress).toMatchObject({ error_code: 'target_banned' });
  });
});
