import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { Pruner } from '../../src/infrastructure/pruning/pruner.js';
import { DueSchedulesRepository } from '../../src/collect/schedules/due-schedules.repository.js';
import {
  NEWEST_OCCURRENCES_KEPT,
  OccurrencePruner,
  OCCURRENCES_KEPT_MS,
} from '../../src/collect/schedules/occurrence-pruner.js';
import { Schedule } from '../../src/collect/schedules/schedule.entity.js';
import { SchedulesRepository } from '../../src/collect/schedules/schedules.repository.js';
import { createTestDatabase, openDataSource } from '../support/database.js';
import { insertSchedules, numberedId, SimulatedClock } from '../support/schedules.js';

const WORKSPACE = numberedId(-2);
const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR_MS = 3_600_000;

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);

describe('the history of schedules', () => {
  let pruner: OccurrencePruner;

  beforeAll(async () => {
    await dataSource.query('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [WORKSPACE, 'History']);
    const clock = await SimulatedClock.start(dataSource.manager, NOW);
    pruner = new OccurrencePruner(
      new DueSchedulesRepository(),
      new TransactionRunner(dataSource),
      clock,
      new Pruner({ ROLES: [] }),
    );
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM schedules');
    await dataSource.query('DELETE FROM workspaces WHERE id <> $1', [WORKSPACE]);
  });

  async function scheduleWithRuns(
    number: number,
    agesMs: readonly number[],
    workspaceId = WORKSPACE,
  ): Promise<string> {
    const id = numberedId(number);
    await insertSchedules(
      dataSource.manager,
      workspaceId,
      [{ id, cronExpression: '@hourly', config: {} }],
      NOW,
    );
    await dataSource.query(
      `INSERT INTO schedule_runs (workspace_id, schedule_id, due_at, trigger, skip_reason, recorded_at)
       SELECT $1, $2, at, 'cron', 'previous_job_unfinished', at FROM unnest($3::timestamptz[]) AS at`,
      [workspaceId, id, agesMs.map((age) => new Date(NOW.getTime() - age))],
    );
    return id;
  }

  async function agesLeft(id: string, workspaceId = WORKSPACE): Promise<number[]> {
    const rows = await dataSource.query<{ due_at: Date }[]>(
      'SELECT due_at FROM schedule_runs WHERE workspace_id = $1 AND schedule_id = $2 ORDER BY due_at DESC',
      [workspaceId, id],
    );
    return rows.map((row) => NOW.getTime() - row.due_at.getTime());
  }

  it('has a requested run at the first free instant of its own workspace', async () => {
    const id = await scheduleWithRuns(4, [0]);
    const other = numberedId(-3);
    await dataSource.query('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [other, 'Other']);
    await insertSchedules(dataSource.manager, other, [{ id, cronExpression: '@hourly', config: {} }], NOW);
    await dataSource.query(
      `INSERT INTO schedule_runs (workspace_id, schedule_id, due_at, trigger, skip_reason, recorded_at)
       VALUES ($1, $2, $3, 'cron', 'previous_job_unfinished', $3)`,
      [other, id, new Date(NOW.getTime() + HOUR_MS)],
    );
    await new SchedulesRepository(dataSource.getRepository(Schedule)).insertManualOccurrence(
      WORKSPACE,
      id,
      { jobId: numberedId(5), at: NOW },
      dataSource.manager,
    );
    const runs = await dataSource.query<{ due_at: Date }[]>(
      `SELECT due_at FROM schedule_runs WHERE workspace_id = $1 AND trigger = 'manual'`,
      [WORKSPACE],
    );
    expect(runs).toEqual([{ due_at: new Date(NOW.getTime() + 1) }]);
  });

  it('is deleted exactly after 90 days', async () => {
    const newest = Array.from({ length: NEWEST_OCCURRENCES_KEPT }, (_, n) => n * HOUR_MS);
    const edges = [OCCURRENCES_KEPT_MS, OCCURRENCES_KEPT_MS + 1, OCCURRENCES_KEPT_MS + HOUR_MS];
    const id = await scheduleWithRuns(1, [...newest, ...edges]);
    expect(await pruner.pruneBatch()).toBe(false);
    expect(await agesLeft(id)).toEqual([...newest, OCCURRENCES_KEPT_MS]);
  });

  it('keeps the newest occurrences of a schedule that rarely runs', async () => {
    const ages = Array.from({ length: NEWEST_OCCURRENCES_KEPT + 2 }, (_, n) => OCCURRENCES_KEPT_MS * (n + 2));
    const id = await scheduleWithRuns(2, ages);
    const other = numberedId(-4);
    await dataSource.query('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [other, 'Other']);
    await scheduleWithRuns(2, ages.slice(-2), other);
    await pruner.pruneBatch();
    expect(await agesLeft(id)).toEqual(ages.slice(0, NEWEST_OCCURRENCES_KEPT));
    expect(await agesLeft(id, other)).toEqual(ages.slice(-2));
  });

  it('is deleted in bounded batches, oldest first', async () => {
    const ages = Array.from(
      { length: 1_500 + NEWEST_OCCURRENCES_KEPT },
      (_, n) => OCCURRENCES_KEPT_MS + (n + 1) * 1_000,
    );
    const id = await scheduleWithRuns(3, ages);
    expect(await pruner.pruneBatch()).toBe(true);
    expect(await agesLeft(id)).toEqual(ages.slice(0, 500 + NEWEST_OCCURRENCES_KEPT));
    expect(await pruner.pruneBatch()).toBe(false);
    expect(await agesLeft(id)).toEqual(ages.slice(0, NEWEST_OCCURRENCES_KEPT));
  });
});
