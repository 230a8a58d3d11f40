import { getQueueToken } from '@nestjs/bull';
import { type Queue } from 'bull';
import { DataSource } from 'typeorm';
import { QUEUE_SETTINGS, SCRAPE_QUEUE } from '../../src/infrastructure/queue/queues.js';
import type { Job } from '../../src/collect/jobs/job.entity.js';
import { JobsRepository } from '../../src/collect/jobs/jobs.repository.js';
import { JobTurnsRepository, type TurnLimits } from '../../src/collect/jobs/job-turns.repository.js';
import { JobClaims } from '../../src/collect/scraping/job-claims.js';
import { JobEnding } from '../../src/collect/scraping/job-ending.js';
import type { JobExecution } from '../../src/collect/scraping/job-execution.js';
import { JobExecutionsRepository } from '../../src/collect/scraping/job-executions.repository.js';
import { JobWorker } from '../../src/collect/scraping/job-worker.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { until } from '../support/until.js';

const UNLIMITED: TurnLimits = { allowsLarge: true, withoutSmall: [], withoutLarge: [] };
const IDLE = { small: 0, large: 0 };

describe('the order in which waiting jobs start', () => {
  let service: TestApplication;
  let database: DataSource;
  let turns: JobTurnsRepository;
  let workspaces: Record<string, string>;
  let created: number;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'worker' });
    database = service.app.get(DataSource);
    turns = service.get(JobTurnsRepository);
    // Stops the worker, because the tests start the jobs themselves.
    await service.get(JobWorker).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    await database.query('TRUNCATE jobs, job_turns, job_executions CASCADE');
    workspaces = {};
    created = 0;
    for (const name of ['a', 'b', 'c']) workspaces[name] = (await service.createWorkspace(name)).workspaceId;
  });

  const nameOf = (workspaceId: string): string =>
    Object.keys(workspaces).find((name) => workspaces[name] === workspaceId)!;
  /** Adds waiting jobs, each older than the next. */
  const wait = async (
    name: string,
    count: number,
    { limit = 20, ageMinutes = 0, mode = 'full' } = {},
  ): Promise<void> => {
    created += 1;
    await database.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         created_at)
       SELECT $1, gen_random_uuid(), 'technology', 'forum', $5, $3, false, false,
         now() - interval '1 minute' + ($6 + job / 1000.0) * interval '1 second' - $4 * interval '1 minute'
       FROM generate_series(1, $2) AS job`,
      [workspaces[name], count, limit, ageMinutes, mode, created],
    );
  };
  const start = async (count: number, limits = UNLIMITED): Promise<string> => {
    let order = '';
    for (let started = 0; started < count; started += 1) {
      const job = await database.transaction((tx) => turns.startNext(limits, tx));
      order += job === null ? '-' : nameOf(job.workspaceId);
    }
    return order;
  };

  it('is by turns of workspaces, however many jobs one of them has', async () => {
    await wait('a', 600);
    await wait('b', 3);
    await wait('c', 2);
    expect(await start(9)).toBe('abcabcaba');
  });

  it('begins with the oldest job of a workspace', async () => {
    await wait('a', 3);
    const jobs: Date[] = [];
    for (let index = 0; index < 3; index += 1)
      jobs.push((await database.transaction((tx) => turns.startNext(UNLIMITED, tx)))!.createdAt);
    expect(jobs).toEqual([...jobs].sort((x, y) => x.getTime() - y.getTime()));
  });

  it('does not accumulate turns for a workspace that has no job', async () => {
    await wait('a', 20);
    await start(10);
    await wait('b', 5);
    expect(await start(6)).toBe('bababa');
  });

  it('does not accumulate them either when the workspace had turns before', async () => {
    await wait('b', 1);
    expect(await start(1)).toBe('b');
    await wait('a', 20);
    await start(10);
    await wait('b', 5);
    expect(await start(6)).toBe('bababa');
  });

  it('puts jobs of up to a hundred posts and monitor passes before larger ones', async () => {
    await wait('a', 2, { limit: 101 });
    await wait('b', 1, { limit: 100 });
    await wait('c', 1, { limit: 10_000, mode: 'monitor' });
    expect(await start(5)).toBe('bcaa-');
  });

  it('starts a large job that has waited two minutes in turn with small ones', async () => {
    await wait('a', 1, { limit: 10_000, ageMinutes: 3 });
    await wait('b', 3);
    expect(await start(3)).toBe('abb');
  });

  it('counts a large job as up to ten turns, by its size', async () => {
    await wait('a', 1, { limit: 10_000 });
    await start(1);
    await wait('a', 3);
    await wait('b', 20);
    expect(await start(12)).toBe('bbbbbbbbbbab');
  });

  it('skips workspaces and large jobs without a free slot', async () => {
    await wait('a', 1);
    await wait('b', 1, { limit: 10_000 });
    await wait('c', 1, { limit: 10_000 });
    const [a, b] = [workspaces.a!, workspaces.b!];
    expect(await start(2, { allowsLarge: true, withoutSmall: [a], withoutLarge: [b] })).toBe('c-');
    expect(await start(2, { allowsLarge: false, withoutSmall: [], withoutLarge: [] })).toBe('a-');
  });

  const isWaitingForLock = async (): Promise<boolean> => {
    const [row] = await database.query<[{ waits: boolean }]>(
      `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`,
    );
    return row.waits;
  };

  it('skips a job that is cancelled at the same time', async () => {
    await wait('a', 1);
    await wait('b', 1);
    const canceller = database.createQueryRunner();
    await canceller.startTransaction();
    await canceller.query(`UPDATE jobs SET status = 'cancelled' WHERE workspace_id = $1`, [workspaces.a]);
    const started = start(1);
    // Waits until the job was chosen, before the cancel commits.
    await until(isWaitingForLock);
    await canceller.commitTransaction();
    await canceller.release();
    expect(await started).toBe('b');
  });

  it('is shown to a workspace as the positions of its own jobs', async () => {
    await wait('a', 1);
    await start(1);
    await wait('a', 1, { limit: 10_000, ageMinutes: 3 });
    await wait('a', 2);
    await wait('a', 1, { limit: 10_000 });
    await wait('b', 3);
    expect(
      await start(2, { ...UNLIMITED, withoutSmall: [workspaces.a!], withoutLarge: [workspaces.a!] }),
    ).toBe('bb');
    const pending = await database.query<{ id: string }[]>(
      `SELECT id FROM jobs WHERE workspace_id = $1 AND status = 'pending' ORDER BY created_at`,
      [workspaces.a],
    );
    const { positions, running } = await turns.positions(workspaces.a!);
    expect([pending.map(({ id }) => positions.get(id)), positions.size, running]).toEqual([
      [1, 2, 3, 4],
      4,
      1,
    ]);
  });

  it('has a backlog of the pending jobs, without those of skipped workspaces', async () => {
    await wait('a', 3, { ageMinutes: 10 });
    await wait('b', 2);
    await start(1);
    const jobs = service.get(JobsRepository);
    expect((await jobs.backlog([])).count).toBe(4);
    const { count, oldestSeconds } = await jobs.backlog([workspaces.a!]);
    expect(count).toBe(2);
    expect(oldestSeconds).toBeLessThan(600);
  });

  it('is shown for the oldest 2,000 jobs of a workspace', async () => {
    await wait('a', 2_001);
    const [newest] = await database.query<[{ id: string }]>(
      'SELECT id FROM jobs ORDER BY created_at DESC LIMIT 1',
    );
    const { positions } = await turns.positions(workspaces.a!);
    expect([positions.size, positions.has(newest.id)]).toEqual([2_000, false]);
  });

  describe('as processes claim them', () => {
    const claim = (): Promise<JobExecution | null> => service.get(JobClaims).claimNext(IDLE);
    const leases = (): JobExecutionsRepository => service.get(JobExecutionsRepository);
    const expire = (): Promise<unknown> =>
      database.query(`UPDATE job_executions SET lease_until = now() - interval '1 second'`);
    const stateOf = async (id: string): Promise<unknown> => {
      const [state] = await database.query<unknown[]>(
        `SELECT status, (SELECT count(*)::int FROM job_executions WHERE job_id = $1) AS executions,
           (SELECT count(*)::int FROM outbox_events WHERE subject_id = $1) AS events
         FROM jobs WHERE id = $1`,
        [id],
      );
      return state;
    };

    it('gives each job to one process, and a workspace no more than its share', async () => {
      await wait('a', 40);
      const claimed = await Promise.all(Array.from({ length: 9 }, claim));
      const ids = claimed.flatMap((execution) => (execution === null ? [] : [execution.job.id]));
      expect(new Set(ids).size).toBe(6);
      expect(ids).toHaveLength(6);
    });

    it('neither starts nor resumes a job of a suspended workspace', async () => {
      const inactive = service.get(InactiveWorkspaces);
      const setStatus = async (status: string): Promise<void> => {
        await database.query('UPDATE workspaces SET status = $2 WHERE id = $1', [workspaces.a, status]);
        await inactive.refresh();
      };
      await wait('a', 1, { limit: 10_000 });
      await claim();
      await expire();
      await wait('a', 1);
      await wait('a', 1, { limit: 10_000 });
      await setStatus('suspended');
      expect(await claim()).toBeNull();
      await setStatus('active');
      expect((await claim())!.lease.attempts).toBe(2);
      expect(await start(2)).toBe('aa');
    });

    it('resumes the job of a lost worker first, and fences the lost worker', async () => {
      await wait('a', 2);
      const lost = (await claim())!;
      await database.query(`UPDATE job_executions SET checkpoint = '{"step": 3}'`);
      await expire();
      const resumed = (await claim())!;
      expect(resumed.job.id).toBe(lost.job.id);
      expect(resumed.lease).toMatchObject({ attempts: 2, checkpoint: { step: 3 } });
      const { workspaceId, id } = lost.job;
      expect(await leases().prolong(workspaceId, id, lost.lease.owner, 10_000)).toBe(false);
      await leases().release(workspaceId, id, lost.lease.owner, true);
      expect(await leases().prolong(workspaceId, id, resumed.lease.owner, 10_000)).toBe(true);
      expect((await claim())!.job.id).not.toBe(lost.job.id);
    });

    it('counts workers that die before they store anything in between', async () => {
      await wait('a', 1);
      const deaths: number[] = [];
      const claimAfter = async (stopOf: (execution: JobExecution) => Promise<unknown>): Promise<void> => {
        const execution = (await claim())!;
        deaths.push(execution.lease.workerDeaths);
        await stopOf(execution);
        await expire();
      };
      const release = ({ job, lease }: JobExecution, countsAttempt: boolean) =>
        leases().release(job.workspaceId, job.id, lease.owner, countsAttempt);
      const die = () => Promise.resolve();
      await claimAfter(die);
      await claimAfter(die);
      await claimAfter((execution) => release(execution, true));
      await claimAfter(die);
      // What storing a batch does.
      await claimAfter(() => database.query('UPDATE job_executions SET attempts = 0'));
      await claimAfter(die);
      await claimAfter((execution) => release(execution, false));
      await claimAfter(die);
      expect(deaths).toEqual([0, 1, 2, 2, 3, 0, 1, 1]);
    });

    it('ends a job only for the worker that holds its lease, not for a former one', async () => {
      await wait('a', 1);
      const lost = (await claim())!;
      await expire();
      const resumed = (await claim())!;
      const ending = service.get(JobEnding);
      expect(await ending.end(lost, { status: 'completed' })).toBe('lost');
      expect(await stateOf(lost.job.id)).toEqual({ status: 'running', executions: 1, events: 0 });
      expect(await ending.end(resumed, { status: 'completed' })).toMatchObject({ status: 'completed' });
      expect(await stateOf(lost.job.id)).toEqual({ status: 'completed', executions: 0, events: 1 });
    });

    it('leaves a job cancelled that was cancelled just before its end', async () => {
      await wait('a', 1);
      const execution = (await claim())!;
      const { workspaceId, id } = execution.job;
      await database.query(
        `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending, phrase_keys)
         VALUES ($1, $2, 't3_1', 0, false, '\\x01000000')`,
        [workspaceId, id],
      );
      expect(await service.get(JobsRepository).cancel(workspaceId, id)).toBe(true);
      const ending = service.get(JobEnding);
      expect(await ending.end(execution, { status: 'completed' })).toBe('cancelled');
      expect(await stateOf(id)).toEqual({ status: 'cancelled', executions: 0, events: 0 });
      const learned = 'SELECT 1 FROM keyword_frequencies WHERE workspace_id = $1';
      expect(await database.query(learned, [workspaceId])).toEqual([]);
    });

    it('shows the state of the last heartbeat only while a job runs', async () => {
      await wait('a', 2);
      const [ended, cancelled] = [(await claim())!, (await claim())!];
      const lasting = { requests: 2 };
      const passing = { comments_pending: 3, media_pending: 1, media_until: 'x', waiting_for: {} };
      await database.query('UPDATE jobs SET progress = $1', [JSON.stringify({ ...lasting, ...passing })]);
      const ending = service.get(JobEnding);
      const record = (await ending.end(ended, { status: 'completed' })) as Job;
      expect(Object.keys(record.progress).sort()).toEqual(['comments', 'media', 'posts', 'requests']);
      const jobs = service.get(JobsRepository);
      const { workspaceId, id } = cancelled.job;
      expect(await jobs.cancel(workspaceId, id)).toBe(true);
      expect((await jobs.find(workspaceId, id))!.progress).toEqual({
        ...lasting,
        ...{ posts: 0, comments: 0, media: 0 },
      });
    });

    it('gives a released job to the next process at once', async () => {
      await wait('a', 1);
      const { job, lease } = (await claim())!;
      expect(await claim()).toBeNull();
      await leases().release(job.workspaceId, job.id, lease.owner, false);
      expect((await claim())!.lease.attempts).toBe(1);
    });

    it('forgets the execution of a job that was cancelled while no worker had it', async () => {
      await wait('a', 1);
      const { job } = (await claim())!;
      await database.query(
        `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
         VALUES ($1, $2, 't3_1', 0, true)`,
        [job.workspaceId, job.id],
      );
      await database.query(`UPDATE jobs SET status = 'cancelled'`);
      await expire();
      expect(await claim()).toBeNull();
      const [left] = await database.query<unknown[]>(
        `SELECT (SELECT count(*)::int FROM job_executions) AS executions,
           (SELECT count(*)::int FROM job_posts WHERE job_id = $1) AS posts`,
        [job.id],
      );
      expect(left).toEqual({ executions: 0, posts: 0 });
    });

    it('sets times by the clock of the database, not by the clock of the process', async () => {
      await wait('a', 1);
      const before = await databaseTime();
      const { clock, lease } = (await claim())!;
      expect(clock.now().getTime()).toBeGreaterThanOrEqual(before.getTime());
      expect(lease.claimedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
    });
    const databaseTime = async (): Promise<Date> =>
      (await database.query<[{ now: Date }]>('SELECT clock_timestamp() AS now'))[0].now;
  });
});

describe('the scrape queue', () => {
  let service: TestApplication;
  afterEach(() => service.close());

  it.each(['api,worker,scheduler', 'worker', 'worker,scheduler'])(
    'is consumed with its own settings in a process of roles %s',
    async (roles) => {
      service = await startTestApplication({ ROLES: roles });
      const queue = service.app.get<Queue & { settings: object; handlers: object }>(
        getQueueToken(SCRAPE_QUEUE),
        { strict: false },
      );
      expect(queue.settings).toMatchObject(QUEUE_SETTINGS);
      expect(queue.handlers).toHaveProperty('__default__');
    },
  );
});
