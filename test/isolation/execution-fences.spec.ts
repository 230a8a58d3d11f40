import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { JobExecutionsRepository } from '../../src/modules/scraping/job-executions.repository.js';
import { createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';

const MINUTE_MS = 60_000;

describe('the lease of an execution', () => {
  const workspaceId = randomUUID();
  let database: TestDatabase;
  let dataSource: DataSource;
  let executions: JobExecutionsRepository;
  let jobId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    executions = new JobExecutionsRepository(dataSource);
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [workspaceId]);
  });
  beforeEach(async () => {
    jobId = randomUUID();
    const lease = { isSmall: true, owner: 'one', leaseMs: MINUTE_MS };
    await executions.create(workspaceId, jobId, lease, dataSource.manager);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const takeOver = (owner: string) =>
    executions.takeOver(workspaceId, jobId, { owner, leaseMs: MINUTE_MS }, dataSource.manager);
  const remove = (owner: string) => executions.remove(workspaceId, jobId, owner, dataSource.manager);
  const row = (): Promise<object[]> =>
    dataSource.query<object[]>('SELECT * FROM job_executions WHERE job_id = $1', [jobId]);

  it('cannot be taken over, prolonged, released or ended by another owner while it lasts', async () => {
    const before = await row();
    expect(await takeOver('two')).toBeNull();
    expect(await executions.prolong(workspaceId, jobId, 'two', MINUTE_MS)).toBe(false);
    await executions.release(workspaceId, jobId, 'two', true);
    expect(await remove('two')).toBe(false);
    expect(await row()).toEqual(before);
  });

  it('belongs to the next owner alone once it has been taken over', async () => {
    await dataSource.query(`UPDATE job_executions SET lease_until = now() - interval '1 second'`);
    expect(await takeOver('two')).toMatchObject({ attempts: 2 });
    const before = await row();
    expect(await executions.prolong(workspaceId, jobId, 'one', MINUTE_MS)).toBe(false);
    await executions.release(workspaceId, jobId, 'one', false);
    expect(await remove('one')).toBe(false);
    expect(await row()).toEqual(before);
    expect(await remove('two')).toBe(true);
    expect(await row()).toEqual([]);
  });
});
