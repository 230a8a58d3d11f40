import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { parseId } from '../../src/common/ids.js';
import { DatabaseClock } from '../../src/database/database-clock.js';
import type { ExportDto, ExportPageDto } from '../../src/takeout/exports/dto/export-job.dto.js';
import { ExportJob } from '../../src/takeout/exports/export-job.entity.js';
import { ExportWorker } from '../../src/takeout/exports/export-worker.js';
import type { RecurringExportDto } from '../../src/takeout/exports/recurring/recurring-export.dto.js';
import { RecurringExportRunner } from '../../src/takeout/exports/recurring/recurring-export-runner.js';
import { RecurringExportsRepository } from '../../src/takeout/exports/recurring/recurring-exports.repository.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

const DAILY = { every: 'day', at: '06:00', timezone: 'Europe/Berlin' };

describe('recurring exports', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api,scheduler,worker', QUOTA_RECURRING_EXPORTS: '2' });
    await service.get(RecurringExportRunner).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    at('2026-11-03T09:00:00Z');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await run('DELETE FROM recurring_exports');
  });

  const at = (time: string) =>
    jest.spyOn(service.get(DatabaseClock), 'now').mockResolvedValue(new Date(time));
  const run = (sql: string, ...parameters: unknown[]) =>
    service.get(DataSource).query<unknown>(sql, parameters);
  const send = <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    call<T>(service, workspace, method, path, body);
  const create = (more: object = {}) =>
    send<RecurringExportDto>('POST', '/recurring-exports', {
      ...{ name: 'For the study', of: 'posts', format: 'ndjson', ...DAILY },
      ...more,
    });
  const runNext = () => service.get(RecurringExportRunner).work();
  const runs = async () => (await send<ExportPageDto>('GET', '/exports')).exports;
  const shown = async () => (await send<RecurringExportDto[]>('GET', '/recurring-exports'))[0]!;
  const written = (count: number): Promise<ExportDto[]> =>
    until(runs, (all) => all.length === count && all.every(({ completed_at: ended }) => ended !== null));

  it('run at their local time, once for all times that were missed', async () => {
    await storePosts(service, workspace.workspaceId, [aPost(1)]);
    const recurring = await create({ columns: ['id'] });
    expect(recurring).toMatchObject({ next_run_at: '2026-11-04T05:00:00.000Z', last_run: null });
    at('2026-11-04T04:59:59Z');
    expect(await runNext()).toBe(false);

    at('2026-11-07T12:00:00Z');
    expect([await runNext(), await runNext()]).toEqual([true, false]);
    const [only] = await written(1);
    expect(only).toMatchObject({
      name: 'For the study',
      recurring_id: recurring.id,
      rows: 1,
      columns: ['id'],
    });
    expect(await shown()).toMatchObject({
      next_run_at: '2026-11-08T05:00:00.000Z',
      last_run: { export_id: only!.id, status: 'completed', error_message: null },
    });
  });

  it('have only what changed since the run before, also when that has expired', async () => {
    const { workspaceId } = workspace;
    await storePosts(service, workspaceId, [aPost(1), aPost(2)]);
    await create({ only_changes: true });
    at('2026-11-04T06:00:00Z');
    await runNext();
    const [first] = await written(1);
    expect(first).toMatchObject({ rows: 2, incremental_from: null });

    await run('DELETE FROM exports WHERE workspace_id = $1', workspaceId);
    // The horizon of an export is that of the whole cluster, in which other tests write.
    await run(
      `UPDATE recurring_exports SET base = jsonb_set(base, '{horizon}', to_jsonb(pg_current_xact_id()::text))`,
    );
    await storePosts(service, workspaceId, [aPost(3)]);
    at('2026-11-05T06:00:00Z');
    await runNext();
    expect(await written(1)).toMatchObject([{ rows: 1, incremental_from: first!.id }]);
  });

  it('have all rows again after an erasure, and after a restore', async () => {
    await create({ only_changes: true });
    at('2026-11-04T06:00:00Z');
    await runNext();
    await written(1);
    await run(`UPDATE recurring_exports SET base = jsonb_set(base, '{databaseId}', '"another"')`);
    at('2026-11-05T06:00:00Z');
    await runNext();
    expect((await written(2)).map((one) => one.incremental_from)).toEqual([null, null]);

    await send('POST', '/erasures', { source: 'reddit', author: 'mabel', reason: 'Asked by mail' });
    await until(
      async () => run('SELECT FROM recurring_exports WHERE base IS NULL'),
      (rows) => (rows as unknown[]).length > 0,
    );
    at('2026-11-06T06:00:00Z');
    await runNext();
    expect((await written(3))[0]).toMatchObject({ status: 'completed', incremental_from: null });
  });

  it('have all rows again after a run whose base was forgotten while it was written', async () => {
    await create({ only_changes: true });
    at('2026-11-04T06:00:00Z');
    await runNext();
    const [first] = await written(1);
    const recurring = service.get(RecurringExportsRepository);
    const run = async (incrementalFrom: string | null) => {
      const { manager } = service.get(DataSource);
      const ended = await manager.findOneByOrFail(ExportJob, { workspaceId: workspace.workspaceId });
      await recurring.recordRun(ended.recurringId!, { ...ended, incrementalFrom }, manager);
      return (await recurring.find(workspace.workspaceId, ended.recurringId!))!.base?.id ?? null;
    };
    const id = parseId('export', first!.id)!;
    expect(await run(id)).toBe(id);
    await recurring.forgetBases(workspace.workspaceId, ['posts']);
    expect(await run(id)).toBeNull();
    expect(await run(null)).toBe(id);
  });

  it('leave others their turn for a while when one fails to begin', async () => {
    await create();
    await create({ at: '06:30' });
    await run(`UPDATE recurring_exports SET timezone = 'Mars/Olympus' WHERE at = '06:00'`);
    at('2026-11-04T07:00:00Z');
    await expect(runNext()).rejects.toThrow('Mars/Olympus');
    expect([await runNext(), await runNext()]).toEqual([true, false]);
  });

  it('have one unfinished run at most, and make up for one time only', async () => {
    await service.get(ExportWorker).beforeApplicationShutdown();
    await create();
    at('2026-11-04T06:00:00Z');
    const started = await Promise.all([runNext(), runNext(), runNext()]);
    expect(started.filter(Boolean)).toHaveLength(1);
    at('2026-11-06T06:00:00Z');
    expect(await runNext()).toBe(false);
    const [unfinished] = await runs();
    await send('DELETE', `/exports/${unfinished!.id}`);
    expect([await runNext(), await runNext()]).toEqual([true, false]);
    expect(await runs()).toHaveLength(2);
  });

  it('wait while their workspace has as many unfinished exports as it may', async () => {
    const { workspaceId } = workspace;
    await create();
    await run(
      `INSERT INTO exports (workspace_id, id, kind, format, filters, database_id)
       SELECT $1, gen_random_uuid(), 'posts', 'csv', '{}', '1' FROM generate_series(1, 100)`,
      workspaceId,
    );
    at('2026-11-04T06:00:00Z');
    expect(await runNext()).toBe(false);
    await run(`UPDATE exports SET status = 'cancelled' WHERE workspace_id = $1`, workspaceId);
    expect(await runNext()).toBe(true);
  });

  it('run neither while they are paused, nor for the times of the pause', async () => {
    const { id } = await create();
    const paused = await send<RecurringExportDto>('PATCH', `/recurring-exports/${id}`, { is_active: false });
    expect(paused).toMatchObject({ is_active: false, next_run_at: null });
    at('2026-11-05T09:00:00Z');
    expect(await runNext()).toBe(false);
    await send('PATCH', `/recurring-exports/${id}`, { is_active: true });
    expect(await runNext()).toBe(false);
    expect(await shown()).toMatchObject({ is_active: true, next_run_at: '2026-11-06T05:00:00.000Z' });
  });

  it('run at changed times under another name, and keep times that stay', async () => {
    const { id } = await create();
    const due = (await shown()).next_run_at;
    expect(await send('PATCH', `/recurring-exports/${id}`, { name: 'Renamed', every: 'day' })).toMatchObject({
      name: 'Renamed',
      next_run_at: due,
    });
    const changed = { every: 'week', at: '09:30', weekday: 'friday', timezone: 'UTC' };
    expect(await send('PATCH', `/recurring-exports/${id}`, changed)).toMatchObject({
      ...changed,
      name: 'Renamed',
      is_active: true,
    });
    const next = new Date(String((await shown()).next_run_at));
    expect([next.getUTCDay(), next.toISOString().slice(11, 16)]).toEqual([5, '09:30']);
  });

  it('are deleted without their runs', async () => {
    const { id } = await create();
    at('2026-11-04T06:00:00Z');
    await runNext();
    await send('DELETE', `/recurring-exports/${id}`);
    expect(await runs()).toMatchObject([{ recurring_id: id }]);
    await requestAs(service, workspace, 'DELETE', `/recurring-exports/${id}`).expect(404);
    await requestAs(service, workspace, 'PATCH', `/recurring-exports/${id}`)
      .send({ is_active: true })
      .expect(404);
  });

  it('are refused beyond the quota, and for what no export can have', async () => {
    const refused = (body: object) =>
      requestAs(service, workspace, 'POST', '/recurring-exports').send({
        name: 'x',
        of: 'posts',
        format: 'csv',
        ...body,
      });
    const invalid = [
      { every: 'hour' },
      { at: '25:00' },
      { timezone: 'Mars/Olympus' },
      { columns: ['nothing'] },
      { only_changes: true, filters: { state: 'kept' } },
    ];
    for (const body of invalid) {
      const answer = await refused(body).expect(400);
      expect((answer.body as { errors: { field: string }[] }).errors[0]!.field).toBe(Object.keys(body)[0]);
    }
    await create();
    await create();
    await refused({}).expect(403);
  });
});
