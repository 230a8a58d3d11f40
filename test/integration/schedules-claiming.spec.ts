import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { JobStatus } from '../../src/collect/jobs/job.entity.js';
import type { DueClaimer } from '../../src/collect/schedules/due-claimer.js';
import { DueSchedulesRepository } from '../../src/collect/schedules/due-schedules.repository.js';
import { Occurrence } from '../../src/collect/schedules/occurrence.entity.js';
import { Schedule, type ScheduleConfig } from '../../src/collect/schedules/schedule.entity.js';
import { QuotasService } from '../../src/tenants/usage/quotas.service.js';
import { createTestDatabase, openDataSource } from '../support/database.js';
import { claimerOn, insertSchedules, numberedId, SimulatedClock } from '../support/schedules.js';

const WORKSPACE = numberedId(-1);
const at = (time: string): Date => new Date(`2026-11-21T${time}Z`);

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);

describe('claiming due schedules', () => {
  let clock: SimulatedClock;
  let claimer: DueClaimer;
  let enqueued: string[];
  let count = 0;

  beforeAll(async () => {
    await dataSource.query('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [WORKSPACE, 'Claims']);
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM schedules');
    clock = await SimulatedClock.start(dataSource.manager, at('12:00:00'));
    enqueued = [];
    const enqueue = (_: string, jobId: string) => Promise.resolve(enqueued.push(jobId) > 0);
    claimer = claimerOn(dataSource, clock, { enqueue });
  });

  const schedule = async (cronExpression: string, config: ScheduleConfig = {}): Promise<string> => {
    const id = numberedId(count++);
    await insertSchedules(dataSource.manager, WORKSPACE, [{ id, cronExpression, config }], at('12:00:00'));
    return id;
  };
  const claimAt = async (time: string): Promise<number> => {
    await clock.set(dataSource.manager, at(time));
    return claimer.claimBatch();
  };
  const stored = (id: string) => dataSource.manager.findOneByOrFail(Schedule, { workspaceId: WORKSPACE, id });
  const history = (scheduleId: string) =>
    dataSource.manager.find(Occurrence, {
      where: { workspaceId: WORKSPACE, scheduleId },
      order: { dueAt: 'ASC' },
    });
  const endLastJob = async (id: string, status: JobStatus, errorCode: string | null = null) => {
    await dataSource.query(
      `UPDATE jobs SET status = $2, error_code = $3, error_message = $4
       WHERE id = (SELECT last_job_id FROM schedules WHERE id = $1)`,
      [id, status, errorCode, errorCode && `The platform says ${errorCode}`],
    );
  };

  it('creates one ordinary job at the due time and none before', async () => {
    const id = await schedule('*/10 * * * *', { limit: 7, scrape_comments: false, plugins: ['a'], note: 1 });
    expect(await claimAt('12:09:59.999')).toBe(0);
    expect(await claimAt('12:10:00.250')).toBe(1);
    expect(await claimAt('12:10:00.500')).toBe(0);
    const after = await stored(id);
    expect(after).toMatchObject({ runCount: 1, lastRunAt: at('12:10:00.250'), nextRunAt: at('12:20:00') });
    const [job] = await dataSource.query('SELECT * FROM jobs WHERE schedule_id = $1', [id]);
    expect(job).toMatchObject({
      id: after.lastJobId,
      workspace_id: WORKSPACE,
      target: 'technology',
      mode: 'full',
      status: 'pending',
      post_limit: 7,
      scrape_comments: false,
      download_media: true,
      plugins: ['a'],
      config: { limit: 7, scrape_comments: false, plugins: ['a'], note: 1 },
    });
    expect(enqueued).toEqual([job.id]);
    expect(await history(id)).toEqual([
      expect.objectContaining({
        dueAt: at('12:10:00'),
        recordedAt: at('12:10:00.250'),
        trigger: 'cron',
        jobId: job.id,
        skipReason: null,
      }),
    ]);
  });

  it('creates no job when the state of the schedule cannot be stored', async () => {
    const id = await schedule('*/10 * * * *');
    const applyPlans = jest.spyOn(DueSchedulesRepository.prototype, 'applyPlans');
    applyPlans.mockRejectedValueOnce(new Error('not stored'));
    await expect(claimAt('12:10:00')).rejects.toThrow('not stored');
    applyPlans.mockRestore();
    expect([enqueued, await history(id)]).toEqual([[], []]);
    expect(await claimAt('12:10:01')).toBe(1);
  });

  it('locks workspaces in one order, whichever schedule is due for longest', async () => {
    const others = [numberedId(-3), numberedId(-2)];
    await dataSource.query(`INSERT INTO workspaces (id, name) SELECT unnest($1::uuid[]), 'Others'`, [others]);
    const owners = [...others, WORKSPACE].sort().reverse();
    for (const [index, owner] of owners.entries())
      await insertSchedules(
        dataSource.manager,
        owner,
        [{ id: numberedId(count++), cronExpression: `${index + 1} * * * *`, config: {} }],
        at('12:00:00'),
      );
    const remaining = jest.spyOn(QuotasService.prototype, 'remaining');
    expect(await claimAt('12:30:00')).toBe(3);
    const locked = remaining.mock.calls.map(([workspaceId]) => workspaceId);
    remaining.mockRestore();
    expect(locked).toEqual([...owners].reverse());
  });

  it('creates one job for several missed due times', async () => {
    const id = await schedule('*/10 * * * *');
    expect(await claimAt('15:42:00')).toBe(1);
    expect(await claimAt('15:42:01')).toBe(0);
    expect(await stored(id)).toMatchObject({ runCount: 1, nextRunAt: at('15:50:00') });
    expect((await history(id)).map((run) => run.dueAt)).toEqual([at('12:10:00')]);
  });

  it.each<JobStatus>(['pending', 'running'])(
    'skips while the last job is %s, and records the reason',
    async (status) => {
      const id = await schedule('* * * * *');
      await claimAt('12:01:00');
      await endLastJob(id, status);
      await claimAt('12:02:00');
      await claimAt('12:03:00');
      expect(await stored(id)).toMatchObject({ runCount: 1, lastRunAt: at('12:01:00') });
      await endLastJob(id, 'completed');
      await claimAt('12:04:00');
      const runs = await history(id);
      const skipped = 'previous_job_unfinished';
      expect(runs.map((run) => run.skipReason)).toEqual([null, skipped, skipped, null]);
      expect(runs[1]!.detail).toBe(`The last job, job_${runs[0]!.jobId}, was still ${status}`);
      expect(await stored(id)).toMatchObject({ runCount: 2, lastRunAt: at('12:04:00') });
    },
  );

  it('queues instead when asked to', async () => {
    const id = await schedule('* * * * *', { overlap: 'queue' });
    for (const time of ['12:01:00', '12:02:00', '12:03:00']) await claimAt(time);
    expect(await stored(id)).toMatchObject({ runCount: 3 });
    expect(enqueued).toHaveLength(3);
  });

  it('pauses after three lasting failures, and records the reason', async () => {
    const id = await schedule('* * * * *');
    for (const time of ['12:01:00', '12:02:00', '12:03:00']) {
      expect(await stored(id)).toMatchObject({ isActive: true });
      await claimAt(time);
      await endLastJob(id, 'failed', 'target_banned');
    }
    await claimAt('12:04:00');
    await claimAt('12:05:00');
    expect(await stored(id)).toMatchObject({ isActive: false, runCount: 3 });
    const runs = await history(id);
    expect(runs).toHaveLength(4);
    expect(runs[3]).toMatchObject({
      dueAt: at('12:04:00'),
      jobId: null,
      skipReason: 'paused_after_failures',
      detail: expect.stringContaining('The platform says target_banned'),
    });

    // After it is resumed, the count starts again.
    await dataSource.query('UPDATE schedules SET is_active = true, resumed_at = $2 WHERE id = $1', [
      id,
      at('12:05:30'),
    ]);
    for (const time of ['12:06:00', '12:07:00']) {
      await claimAt(time);
      await endLastJob(id, 'failed', 'target_banned');
    }
    expect(await stored(id)).toMatchObject({ isActive: true, runCount: 5 });
  });

  it.each([
    ['one failure is not lasting', ['target_banned', 'unavailable', 'target_banned', 'target_banned']],
    ['a job in between succeeded', ['target_banned', 'target_banned', null, 'target_banned']],
  ])('does not pause when %s', async (_, outcomes) => {
    const id = await schedule('* * * * *');
    for (const [minute, errorCode] of outcomes.entries()) {
      await claimAt(`12:0${minute + 1}:00`);
      await endLastJob(id, errorCode === null ? 'completed' : 'failed', errorCode);
    }
    await claimAt('12:05:00');
    expect(await stored(id)).toMatchObject({ isActive: true, runCount: 5 });
  });

  it('pauses after three lasting failures behind a job that succeeded', async () => {
    const id = await schedule('* * * * *');
    for (const [minute, errorCode] of [null, ...Array<string>(3).fill('target_banned')].entries()) {
      await claimAt(`12:0${minute + 1}:00`);
      await endLastJob(id, errorCode === null ? 'completed' : 'failed', errorCode);
    }
    await claimAt('12:05:00');
    expect(await stored(id)).toMatchObject({ isActive: false, runCount: 4 });
  });

  it('creates no second job for a due time that is recorded already', async () => {
    const id = await schedule('* * * * *', { overlap: 'queue' });
    await claimAt('12:01:00');
    await dataSource.query('UPDATE schedules SET next_run_at = $2 WHERE id = $1', [id, at('12:01:00')]);
    await claimAt('12:01:30');
    expect(await stored(id)).toMatchObject({ runCount: 1, nextRunAt: at('12:02:00') });
    expect(await history(id)).toHaveLength(1);
    expect(await dataSource.query('SELECT id FROM jobs WHERE schedule_id = $1', [id])).toHaveLength(1);
  });

  it('counts due times by their outcome, and none that is recorded already', async () => {
    const id = await schedule('* * * * *');
    for (const time of ['12:01:00', '12:02:00']) await claimAt(time);
    await dataSource.query('UPDATE schedules SET next_run_at = $2 WHERE id = $1', [id, at('12:02:00')]);
    await claimAt('12:02:30');
    const { values } = await claimer.occurrences.get();
    expect(values.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['job', 1],
      ['previous_job_unfinished', 1],
    ]);
  });

  it('claims the longest due first, and skips what another scheduler is claiming', async () => {
    const [short, long] = [await schedule('* * * * *'), await schedule('* * * * *')];
    await dataSource.query('UPDATE schedules SET next_run_at = $2 WHERE id = $1', [long, at('11:00:00')]);
    const repository = new DueSchedulesRepository();
    const lockOne = async (tx: EntityManager): Promise<string[]> => {
      await tx.query(`SET LOCAL lock_timeout = '1s'`);
      const limits = { limit: 1, exceptWorkspaces: [] };
      return (await repository.lockDue(at('12:10:00'), limits, tx)).map(({ id }) => id);
    };
    await dataSource.transaction(async (first) => {
      expect(await lockOne(first)).toEqual([long]);
      expect(await dataSource.transaction((second) => lockOne(second))).toEqual([short]);
    });
  });

  it('skips paused schedules', async () => {
    const id = await schedule('* * * * *');
    await dataSource.query('UPDATE schedules SET is_active = false WHERE id = $1', [id]);
    expect(await claimAt('13:00:00')).toBe(0);
  });

  it('pauses a schedule whose timing is no longer valid, and claims the others', async () => {
    const broken = await schedule('* * * * *');
    const sound = await schedule('* * * * *');
    await dataSource.query(`UPDATE schedules SET config = '{"timezone": "Gone/Away"}' WHERE id = $1`, [
      broken,
    ]);
    expect(await claimAt('12:01:00')).toBe(2);
    expect(await stored(broken)).toMatchObject({ isActive: false, runCount: 0 });
    expect((await history(broken))[0]).toMatchObject({ skipReason: 'timing_unusable' });
    expect(await stored(sound)).toMatchObject({ isActive: true, runCount: 1 });
  });

  it('continues claiming while the queue does not answer', async () => {
    const id = await schedule('* * * * *', { overlap: 'queue' });
    claimer = claimerOn(dataSource, clock, { enqueue: () => new Promise(() => undefined) });
    for (const time of ['12:01:00', '12:02:00', '12:03:00']) await claimAt(time);
    expect(await stored(id)).toMatchObject({ runCount: 3 });
  });

  it('claims in batches until nothing is due', async () => {
    const many = Array.from({ length: 1_100 }, () => ({
      id: numberedId(count++),
      cronExpression: '* * * * *',
      config: {},
    }));
    await insertSchedules(dataSource.manager, WORKSPACE, many, at('12:00:00'));
    await clock.set(dataSource.manager, at('12:01:00'));
    expect(await claimer.claimDue(() => true)).toBe(1_100);
    expect(await claimer.claimDue(() => true)).toBe(0);
    // Jobs are enqueued in the background.
    for (let wait = 0; wait < 1_000 && enqueued.length < 1_100; wait++) await setImmediate();
    expect(new Set(enqueued).size).toBe(1_100);
  });

  it('delays every due time by the same jitter of the schedule', async () => {
    const id = await schedule('0 * * * *', { jitter_seconds: 3600 });
    const { nextRunAt } = await stored(id);
    const shift = nextRunAt.getTime() % 3_600_000;
    await clock.set(dataSource.manager, nextRunAt);
    expect(await claimer.claimBatch()).toBe(1);
    expect((await stored(id)).nextRunAt.getTime()).toBe(nextRunAt.getTime() + 3_600_000);
    expect(shift % 1000).toBe(0);
  });
});
