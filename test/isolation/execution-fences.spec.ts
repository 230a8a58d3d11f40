import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { ExportJob, ExportPart } from '../../src/takeout/exports/export-job.entity.js';
import { ExportJobsRepository } from '../../src/takeout/exports/export-jobs.repository.js';
import { ExportLeasesRepository } from '../../src/takeout/exports/export-leases.repository.js';
import { Erasure, noneRemoved } from '../../src/privacy/erasures/erasure.entity.js';
import { ErasuresRepository } from '../../src/privacy/erasures/erasures.repository.js';
import { JobExecutionsRepository } from '../../src/collect/scraping/job-executions.repository.js';
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
    await dataSource.query('DELETE FROM job_executions');
    jobId = randomUUID();
    const lease = { isSmall: true, owner: 'one', leaseMs: MINUTE_MS };
    await executions.create(workspaceId, jobId, lease, dataSource.manager);
  });

  const takeOver = (owner: string) =>
    executions.takeOver(workspaceId, jobId, { owner, leaseMs: MINUTE_MS }, dataSource.manager);
  const remove = (owner: string) => executions.remove(workspaceId, jobId, owner, dataSource.manager);
  const row = (): Promise<object[]> =>
    dataSource.query<object[]>('SELECT * FROM job_executions WHERE job_id = $1', [jobId]);

  it('cannot be taken over, prolonged or ended by another owner while it lasts', async () => {
    const before = await row();
    expect(await takeOver('two')).toBeNull();
    expect(await executions.prolong(workspaceId, jobId, 'two', MINUTE_MS)).toBe(false);
    await executions.release(workspaceId, jobId, 'two', true);
    expect(await remove('two')).toBe(false);
    expect(await row()).toEqual(before);
  });

  it('belongs only to the next owner once it has been taken over', async () => {
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

  it('is live until it ends, whether its worker was killed or not', async () => {
    expect(await executions.hasLive(workspaceId)).toBe(true);
    await dataSource.query(`UPDATE job_executions SET lease_until = now() - interval '1 second'`);
    expect(await executions.hasLive(workspaceId)).toBe(false);
  });

  it('is listed before those that end later', async () => {
    const lease = { isSmall: true, owner: 'two', leaseMs: MINUTE_MS / 2 };
    const first = randomUUID();
    await executions.create(workspaceId, first, lease, dataSource.manager);
    const listed = await executions.listLeases(MINUTE_MS, 2);
    expect(listed.map((one) => [one.jobId, one.owner, one.hasExpired])).toEqual([
      [first, 'two', false],
      [jobId, 'one', false],
    ]);
    expect(await executions.listLeases(MINUTE_MS, 1)).toHaveLength(1);
  });

  it.each([
    { after: 'a failure', countsAttempt: true, stored: 1, next: 2 },
    { after: 'a planned stop', countsAttempt: false, stored: 1, next: 1 },
    { after: 'a planned stop behind a batch', countsAttempt: false, stored: 0, next: 1 },
  ])('can be taken over at once when given back after $after', async ({ countsAttempt, stored, next }) => {
    await dataSource.query('UPDATE job_executions SET attempts = $2 WHERE job_id = $1', [jobId, stored]);
    await executions.release(workspaceId, jobId, 'one', countsAttempt);
    expect(await executions.hasLive(workspaceId)).toBe(false);
    expect(await takeOver('two')).toMatchObject({ attempts: next });
  });
});

describe('the lease of an export', () => {
  const workspaceId = randomUUID();
  /** Sorts before every other id, so that a statement without the workspace would find its rows first. */
  const otherId = '00000000-0000-4000-8000-000000000000';
  let database: TestDatabase;
  let dataSource: DataSource;
  let leases: ExportLeasesRepository;
  let jobs: ExportJobsRepository;
  let exportId: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    leases = new ExportLeasesRepository(dataSource);
    jobs = new ExportJobsRepository(
      dataSource.getRepository(ExportJob),
      dataSource.getRepository(ExportPart),
    );
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test'), ($2, 'Other')`, [
      workspaceId,
      otherId,
    ]);
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM exports');
    exportId = await add();
    expect(await claim('one')).toMatchObject({ job: { attempts: 1 } });
  });

  async function add(workspace = workspaceId, id: string = randomUUID()): Promise<string> {
    await dataSource.query(
      `INSERT INTO exports (workspace_id, id, kind, format, filters, database_id)
       SELECT $1, $2, 'posts', 'csv', '{}', system_identifier FROM pg_control_system()`,
      [workspace, id],
    );
    return id;
  }
  const claim = (owner: string) =>
    leases.claim(workspaceId, exportId, { owner, leaseMs: MINUTE_MS }, dataSource.manager);
  const expireLease = () =>
    dataSource.query(`UPDATE exports SET lease_until = now() - interval '1 second' WHERE id = $1`, [
      exportId,
    ]);
  const record = (owner: string) =>
    leases.recordPart(
      { workspaceId, exportId, number: 1, key: 'x', rows: 0, bytes: 0, sha256: 'x', lastId: null },
      owner,
      dataSource.manager,
    );
  const end = (owner: string) => {
    const outcome = { status: 'completed', errorMessage: null } as const;
    return leases.end(workspaceId, exportId, owner, outcome, dataSource.manager);
  };
  const rows = (): Promise<object[]> =>
    dataSource.query<object[]>(
      'SELECT exports.*, parts.number FROM exports LEFT JOIN export_parts AS parts ON export_id = id WHERE id = $1',
      [exportId],
    );
  /** Calls everything that an owner may do, on behalf of an owner without a lease. */
  async function interfere(owner: string): Promise<void> {
    const before = await rows();
    expect(await leases.prolong({ workspaceId, id: exportId, owner }, MINUTE_MS)).toBe(false);
    expect(await record(owner)).toBe(false);
    await leases.release({ workspaceId, id: exportId, owner }, { countsAttempt: true, delayMs: 0 });
    expect(await end(owner)).toBeNull();
    expect(await rows()).toEqual(before);
  }

  it('cannot be taken over, prolonged, used or ended by another owner', async () => {
    expect(await claim('two')).toBeNull();
    await interfere('two');
  });

  it('belongs only to the next owner once it has been taken over', async () => {
    await expireLease();
    expect(await claim('two')).toMatchObject({ job: { attempts: 2 } });
    await interfere('one');
    expect(await record('two')).toBe(true);
    expect(await end('two')).toMatchObject({ status: 'completed', leaseOwner: null });
    expect(await claim('three')).toBeNull();
  });

  it('ends when the export is cancelled; an ended export cannot be cancelled', async () => {
    const cancel = () => jobs.cancel(workspaceId, exportId, dataSource.manager);
    expect(await cancel()).toBe(true);
    await interfere('one');
    exportId = await add();
    await claim('one');
    await record('one');
    await end('one');
    const before = await rows();
    expect(await cancel()).toBe(false);
    expect(await rows()).toEqual(before);
  });

  it('keeps the rows that its first claim fixed when it is taken over', async () => {
    const horizon = () => dataSource.query('SELECT horizon FROM exports WHERE id = $1', [exportId]);
    const fixed: unknown = await horizon();
    await expireLease();
    await claim('two');
    expect(await horizon()).toEqual(fixed);
  });

  it('loses its files when it is cancelled', async () => {
    await record('one');
    expect(await jobs.listParts(workspaceId, [exportId])).toHaveLength(1);
    await jobs.cancel(workspaceId, exportId, dataSource.manager);
    expect(await jobs.listParts(workspaceId, [exportId])).toEqual([]);
  });

  it('cannot be deleted before it has ended', async () => {
    await jobs.delete(workspaceId, exportId);
    expect(await rows()).toHaveLength(1);
    await end('one');
    await jobs.delete(workspaceId, exportId);
    expect(await rows()).toEqual([]);
  });

  it('is not confused with the export of another workspace that has the same id', async () => {
    await dataSource.query('TRUNCATE exports CASCADE');
    exportId = await add(otherId);
    await add(workspaceId, exportId);
    expect(await claim('one')).toMatchObject({ job: { workspaceId } });
    expect(await end('one')).toMatchObject({ workspaceId });
  });

  it("counts towards its workspace's limit of unfinished exports", async () => {
    const request = { kind: 'posts', format: 'csv', compression: null, filters: {} } as const;
    const insert = (limit: number, workspace = workspaceId) =>
      jobs.insert(
        workspace,
        {
          ...request,
          id: randomUUID(),
          incrementalFrom: null,
          name: null,
          columns: null,
          recurringId: null,
          destinationUrl: null,
          sealedSecret: null,
          changedSince: null,
          byteOrderMark: false,
          pseudonymize: false,
        },
        limit,
      );
    expect(await insert(1)).toBe(false);
    expect(await insert(1, otherId)).toBe(true);
    expect(await insert(2)).toBe(true);
    await record('one');
    await end('one');
    expect(await insert(1)).toBe(false);
    expect(await insert(2)).toBe(true);
  });

  it('belongs to the backlog until it starts, unless its workspace is skipped', async () => {
    const waiting = async (skipped: string[] = []) => (await jobs.backlog(skipped)).count;
    expect(await waiting()).toBe(0);
    await add();
    await add(otherId);
    expect([await waiting(), await waiting([otherId])]).toEqual([2, 1]);
  });

  it('expires before the exports that end later', async () => {
    const first = await add();
    await dataSource.query(
      `UPDATE exports SET expires_at = now() - CASE id WHEN $1 THEN interval '2 days' ELSE interval '1 day' END`,
      [first],
    );
    const next = await add();
    await dataSource.query(`UPDATE exports SET expires_at = now() + interval '1 day' WHERE id = $1`, [next]);
    expect(await jobs.findExpired(1)).toEqual([{ workspaceId, id: first }]);
    expect(await jobs.findExpired(9)).toHaveLength(2);
  });

  it('counts as running and makes the next export of its workspace wait, until it ends', async () => {
    const next = await add();
    const waiting = () => leases.findWaiting([], 9, dataSource.manager);
    expect(await waiting()).toEqual([{ workspaceId, id: next, running: 1 }]);
    await expireLease();
    expect(await waiting()).toEqual([{ workspaceId, id: exportId, running: 0 }]);
  });
});

describe('the lease of an erasure', () => {
  const workspaceId = randomUUID();
  let dataSource: DataSource;
  let erasures: ErasuresRepository;
  let id: string;

  beforeAll(async () => {
    dataSource = await openDataSource((await createTestDatabase()).url);
    erasures = new ErasuresRepository(dataSource.getRepository(Erasure));
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [workspaceId]);
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM erasures');
    id = randomUUID();
    const subject = { kind: 'author' as const, source: null, subjectHash: Buffer.alloc(32), reason: '' };
    const progress = { phase: 'begin' as const, scannedTo: null, removed: noneRemoved() };
    const state = { suppress: false, suppressionId: null, leaseUntil: null, completedAt: null };
    const erasure = { ...subject, ...progress, ...state, id, sealedSubject: 'sealed' };
    await erasures.insert(workspaceId, erasure, dataSource.manager);
  });

  const claim = () => erasures.claim(workspaceId, id, MINUTE_MS);
  const isListed = async () => (await erasures.findUnfinished(9)).some((one) => one.id === id);
  const set = (change: string) => dataSource.query(`UPDATE erasures SET ${change} WHERE id = $1`, [id]);

  it('belongs to one process until it ends', async () => {
    expect(await isListed()).toBe(true);
    expect(await claim()).toMatchObject({ id });
    expect([await isListed(), await claim()]).toEqual([false, null]);
    await set(`lease_until = now() - interval '1 second'`);
    const next = await claim();
    expect(next).toMatchObject({ id });
    await erasures.release(next!);
    expect([await isListed(), await claim()]).toEqual([true, expect.objectContaining({ id })]);
  });

  it('is not ended by the process that had it before', async () => {
    const first = await claim();
    await set(`lease_until = now() - interval '1 second'`);
    const next = await claim();
    await erasures.release(first!);
    expect(await claim()).toBeNull();
    await erasures.release(next!);
    expect(await claim()).toMatchObject({ id });
  });

  it('is not taken for another workspace, nor once the erasure is complete', async () => {
    expect(await erasures.claim(randomUUID(), id, MINUTE_MS)).toBeNull();
    await set('completed_at = now()');
    expect([await isListed(), await claim()]).toEqual([false, null]);
  });
});
