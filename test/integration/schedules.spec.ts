import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { getQueueToken } from '@nestjs/bull';
import type { Queue } from 'bull';
import { DataSource } from 'typeorm';
import { SCRAPE_QUEUE } from '../../src/infrastructure/queue/queues.js';
import { jitterMs } from '../../src/collect/schedules/schedule-timing.js';
import { SchedulesRepository } from '../../src/collect/schedules/schedules.repository.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

type Created = { id: string; created_at: string; next_run_at: string; config: object };

const fieldsOf = (body: { errors: { field: string }[] }): string[] => body.errors.map((error) => error.field);

describe('schedules over HTTP', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication();
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string) =>
    requestAs(service, workspace, method, path);
  const create = async (body: object): Promise<Created> => {
    const answer = await call('POST', '/schedules').send(body).expect(201);
    return answer.body as Created;
  };

  describe('of feeds, from OPML', () => {
    const add = (opml: string | Buffer, type = 'text/x-opml') =>
      call('POST', '/sources/opml').set('Content-Type', type).send(opml);
    const list = (...addresses: string[]): string =>
      `<opml version="1.0"><body><outline text="A folder">${addresses
        .map((address) => `<outline text="x" xmlUrl="${address}"/>`)
        .join('')}</outline></body></opml>`;
    const [one, two, three] = ['one', 'two', 'three'].map((name) => `https://${name}.example/feed?a=1&amp;b`);

    it('are one for each feed that had none, and are given back', async () => {
      expect((await add(list(one!)).expect(201)).body).toEqual({ created: 1, existing: 0, refused: [] });
      const { body } = await add(list(one!, two!, 'ftp://x', `FEED:${two}`), 'text/xml').expect(201);
      expect(body).toEqual({
        ...{ created: 1, existing: 2 },
        refused: [{ address: 'ftp://x', message: expect.stringContaining('Write feed:ADDRESS') as unknown }],
      });
      const { headers, text } = await call('GET', '/sources/opml').expect(200);
      expect(headers['content-type']).toBe('text/x-opml; charset=utf-8');
      expect([...text.matchAll(/xmlUrl="([^"]+)"/g)].map(([, address]) => address)).toEqual([one, two]);
      expect((await add(text).expect(201)).body).toEqual({ created: 0, existing: 2, refused: [] });
      const { body: schedules } = await call('GET', '/schedules').expect(200);
      expect(schedules).toMatchObject([{ mode: 'monitor', cron_expression: '0 * * * *' }, {}]);
    });

    it('are as many as the quota allows', async () => {
      await service
        .get(DataSource)
        .query(`UPDATE workspaces SET quotas = '{"schedules": 2}' WHERE id = $1`, [workspace.workspaceId]);
      const { body } = await add(list(one!, two!, three!)).expect(201);
      expect(body).toMatchObject({
        created: 2,
        existing: 0,
        refused: [{ message: expect.stringContaining('quota schedules') as unknown }],
      });
    });

    it('are none for a document that is no list, or hostile', async () => {
      const bomb = `<!DOCTYPE o [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>${list(one!)}`;
      for (const [document, type, status, said] of [
        ['<rss/>', 'text/xml', 400, 'OPML document'],
        ['', 'text/xml', 400, 'OPML document'],
        [bomb, 'text/xml', 400, 'entities'],
        [Buffer.from(list('https://é.example'), 'latin1'), 'text/xml', 400, 'UTF-8'],
        [list(one!).repeat(20_000), 'text/xml', 413, '1024 KiB'],
        [list(...Array.from({ length: 10_001 }, () => 'a.b')), 'text/xml', 400, '10000 feeds'],
        ['{}', 'application/json', 415, 'text/x-opml or text/xml'],
      ] as const)
        expect(JSON.stringify((await add(document, type).expect(status)).body)).toContain(said);
    });
  });

  it('creates no job for a manual run that cannot be recorded', async () => {
    const { id } = await create({ target: 'technology', cron_expression: '@hourly' });
    const record = jest
      .spyOn(service.get(SchedulesRepository), 'insertManualOccurrence')
      .mockRejectedValueOnce(new Error('not recorded'));
    await call('POST', `/schedules/${id}/run`).expect(500);
    record.mockRestore();
    const { body } = await call('GET', '/jobs').expect(200);
    expect(body).toMatchObject({ jobs: [], total: 0 });
  });

  it('keeps unknown config keys as sent', async () => {
    const config = {
      limit: 5,
      plugins: ['language_tagger'],
      note: { for: ['me', 1, null] },
      timezone: 'Europe/Berlin',
    };
    const created = await create({ target: 'technology', cron_expression: '0 6 * * *', config });
    expect(created.config).toEqual(config);
  });

  it('names every bad field, those of the config by their path', async () => {
    const { body } = await call('POST', '/schedules')
      .send({
        target: '',
        target_type: 'planet',
        mode: 'fast',
        cron_expression: '61 * * * *',
        colour: 'red',
        config: {
          limit: '5',
          download_media: 'yes',
          plugins: 'x',
          timezone: 'Mars/Base',
          overlap: 'maybe',
          jitter_seconds: 3601,
        },
      })
      .expect(400);
    const fields = new Set(fieldsOf(body));
    expect(fields).toEqual(
      new Set([
        'target',
        'target_type',
        'mode',
        'cron_expression',
        'colour',
        'config.limit',
        'config.download_media',
        'config.plugins',
        'config.timezone',
        'config.overlap',
        'config.jitter_seconds',
      ]),
    );
    expect(body.errors).toContainEqual({
      field: 'cron_expression',
      message: expect.stringContaining('minute field "61"'),
    });
  });

  it.each([
    ['an array', [1]],
    ['text', 'limit=5'],
    ['too large a config', { note: 'x'.repeat(16_384) }],
  ])('refuses %s as config', async (_, config) => {
    const { body } = await call('POST', '/schedules')
      .send({ target: 'technology', cron_expression: '@daily', config })
      .expect(400);
    expect(fieldsOf(body)).toContain('config');
  });

  it('names the part of a config that cannot be stored', async () => {
    const config = { note: 'a\0b', more: { text: '\ud800' } };
    const { body } = await call('POST', '/schedules')
      .send({ target: 'technology', cron_expression: '@daily', config })
      .expect(400);
    expect(fieldsOf(body).sort()).toEqual(['config.more.text', 'config.note']);
  });

  it('moves the next due time when the jitter changes', async () => {
    const created = await create({ target: 'technology', cron_expression: '0 0 1 1 *' });
    const dueWith = async (jitter_seconds: number): Promise<number> => {
      await call('PATCH', `/schedules/${created.id}`).send({ config: { jitter_seconds } }).expect(200);
      return Date.parse((await call('GET', '/schedules').expect(200)).body[0].next_run_at);
    };
    const delays = [];
    for (const jitter of [3_600, 3_599, 0])
      delays.push((await dueWith(jitter)) - Date.parse(created.next_run_at));
    const bare = created.id.replace('sched_', '');
    expect(delays).toEqual([jitterMs(bare, 3_600), jitterMs(bare, 3_599), 0]);
  });

  it('pauses, changes and resumes', async () => {
    const { id } = await create({ target: 'technology', cron_expression: '0 0 1 1 *' });
    const changed = await call('PATCH', `/schedules/${id}`)
      .send({
        is_active: false,
        cron_expression: '30 12 1 1 *',
        mode: 'monitor',
        config: { timezone: 'Asia/Tokyo' },
      })
      .expect(200);
    expect(changed.body).toEqual({
      id,
      target: 'technology',
      is_active: false,
      cron_expression: '30 12 1 1 *',
      run_count: 0,
    });
    const [paused] = (await call('GET', '/schedules').expect(200)).body;
    expect(paused).toMatchObject({ mode: 'monitor', config: { timezone: 'Asia/Tokyo' }, is_active: false });
    expect(paused.next_run_at).toMatch(/-01-01T03:30:00\.000Z$/);
    const database = service.app.get(DataSource);
    await database.query(
      `UPDATE schedules SET next_run_at = '2020-01-01', resumed_at = '2020-01-01' WHERE id = $1`,
      [id.replace('sched_', '')],
    );
    const isResumedNow = async (): Promise<unknown> =>
      database.query(`SELECT resumed_at > now() - interval '1 hour' AS now FROM schedules WHERE id = $1`, [
        id.replace('sched_', ''),
      ]);
    await call('PATCH', `/schedules/${id}`).send({ mode: 'monitor' }).expect(200);
    expect((await call('GET', '/schedules').expect(200)).body[0].next_run_at).toBe(
      '2020-01-01T00:00:00.000Z',
    );
    expect(await isResumedNow()).toEqual([{ now: false }]);
    await call('PATCH', `/schedules/${id}`).send({ is_active: true }).expect(200);
    // Earlier failures no longer count.
    expect(await isResumedNow()).toEqual([{ now: true }]);
    await call('PATCH', `/schedules/${id}`).send({}).expect(200);
    const [resumed] = (await call('GET', '/schedules').expect(200)).body;
    expect(resumed).toEqual({ ...paused, is_active: true });
    await call('PATCH', `/schedules/${id}`)
      .send({ config: { timezone: 'Asia/Kolkata' } })
      .expect(200);
    const [moved] = (await call('GET', '/schedules').expect(200)).body;
    expect(moved.next_run_at).toMatch(/-01-01T07:00:00\.000Z$/);
  });

  /**
   * Records a manual run of each schedule at the same moment; returns a reader of a schedule's runs, in ms after that
   * moment.
   */
  async function runAtOnce(ids: readonly string[]): Promise<(id: string) => Promise<number[]>> {
    const schedules = service.get(SchedulesRepository);
    const at = new Date();
    for (const id of ids)
      await schedules.insertManualOccurrence(
        workspace.workspaceId,
        id.replace('sched_', ''),
        { jobId: randomUUID(), at },
        service.app.get(DataSource).manager,
      );
    return async (id) => {
      const { body } = await call('GET', `/schedules/${id}/runs`).expect(200);
      return (body.runs as { due_at: string }[]).map(({ due_at }) => Date.parse(due_at) - at.getTime());
    };
  }

  it('records runs of the same moment with consecutive times', async () => {
    const { id } = await create({ target: 'technology', cron_expression: '0 0 1 1 *' });
    const runsOf = await runAtOnce([id, id, id]);
    expect(await runsOf(id)).toEqual([2, 1, 0]);
  });

  it('records runs of several schedules at the same moment', async () => {
    const timing = { target: 'technology', cron_expression: '0 0 1 1 *' };
    const ids = [(await create(timing)).id, (await create(timing)).id];
    const runsOf = await runAtOnce(ids);
    for (const id of ids) expect(await runsOf(id)).toEqual([0]);
  });

  it('refuses unknown plugins on creation and on change', async () => {
    const config = { plugins: ['language_tagger', 'nix'] };
    const made = await call('POST', '/schedules')
      .send({ target: 'technology', cron_expression: '@daily', config })
      .expect(400);
    expect(made.body.errors).toEqual([
      {
        field: 'config.plugins',
        message: expect.stringMatching(/^unknown plugin "nix"; known are .*language_tagger/),
      },
    ]);
    const { id } = await create({ target: 'technology', cron_expression: '@daily' });
    const changed = await call('PATCH', `/schedules/${id}`).send({ config }).expect(400);
    expect(fieldsOf(changed.body)).toEqual(['config.plugins']);
    expect((await call('GET', '/schedules').expect(200)).body).toMatchObject([{ id, config: {} }]);
  });

  it('runs now: an ordinary job, in the history, without moving the next due time', async () => {
    const created = await create({
      target: 'technology',
      cron_expression: '0 0 1 1 *',
      mode: 'full',
      config: { limit: 7, scrape_comments: false },
    });
    const { body: job } = await call('POST', `/schedules/${created.id}/run`).expect(201);
    const queue = service.app.get<Queue>(getQueueToken(SCRAPE_QUEUE), { strict: false });
    const jobId = (job as { id: string }).id.slice(4);
    expect((await queue.getJob(jobId))?.data).toMatchObject({ jobId });
    expect(job).toMatchObject({
      status: 'pending',
      target: 'technology',
      mode: 'full',
      config: created.config,
    });
    expect(job).not.toHaveProperty('schedule_id');
    await call('GET', `/jobs/${job.id}`).expect(200, job);
    await Promise.all([1, 2, 3].map(() => call('POST', `/schedules/${created.id}/run`).expect(201)));

    const { body: history } = await call('GET', `/schedules/${created.id}/runs?limit=2`).expect(200);
    expect(history).toMatchObject({ total: 4, has_more: true });
    const { body: rest } = await call('GET', `/schedules/${created.id}/runs?offset=3`).expect(200);
    expect(rest.runs).toEqual([
      {
        schedule_id: created.id,
        due_at: expect.any(String),
        trigger: 'manual',
        job_id: job.id,
        skip_reason: null,
        detail: null,
        recorded_at: expect.any(String),
      },
    ]);
    const [after] = (await call('GET', '/schedules').expect(200)).body;
    expect(after).toMatchObject({ run_count: 4, next_run_at: created.next_run_at });
    expect(after.last_run_at).not.toBeNull();
  });

  it('deletes a schedule and leaves its jobs', async () => {
    const { id } = await create({ target: 'technology', cron_expression: '@daily' });
    const { body: job } = await call('POST', `/schedules/${id}/run`).expect(201);
    await call('DELETE', `/schedules/${id}`).expect(200, { message: 'Schedule deleted' });
    await call('DELETE', `/schedules/${id}`).expect(404);
    await call('GET', '/schedules').expect(200, []);
    await call('GET', `/jobs/${job.id}`).expect(200);
  });

  it('shows the next due times', async () => {
    const { id, next_run_at } = await create({ target: 'technology', cron_expression: '0 0 29 2 *' });
    const { body } = await call('GET', `/schedules/${id}/next`).expect(200);
    expect(body.schedule_id).toBe(id);
    expect(body.next_runs).toHaveLength(5);
    expect(body.next_runs[0]).toBe(next_run_at);
    expect((await call('GET', `/schedules/${id}/next?count=100`).expect(200)).body.next_runs).toHaveLength(
      100,
    );
    await call('GET', `/schedules/${id}/next?count=101`).expect(400);
    await call('GET', `/schedules/${id}/next?count=0`).expect(400);
  });

  it('names a stored time zone that no longer exists', async () => {
    const { id } = await create({ target: 'technology', cron_expression: '@daily' });
    await service.app
      .get(DataSource)
      .query(`UPDATE schedules SET is_active = false, config = '{"timezone": "Gone/Away"}' WHERE id = $1`, [
        id.replace('sched_', ''),
      ]);
    const next = await call('GET', `/schedules/${id}/next`).expect(400);
    expect(fieldsOf(next.body)).toEqual(['config.timezone']);
    const resumed = await call('PATCH', `/schedules/${id}`).send({ is_active: true }).expect(400);
    expect(fieldsOf(resumed.body)).toEqual(['config.timezone']);
    await call('PATCH', `/schedules/${id}`).send({ is_active: true, config: {} }).expect(200);
  });
});

describe('a scheduler process', () => {
  it('turns a due time into a job, its history and an entry on the queue', async () => {
    const service = await startTestApplication({ ROLES: 'api,scheduler' });
    const workspace = await service.createWorkspace();
    const get = (resource: string) =>
      call<{ id: string; total: number; runs: { job_id: string; trigger: string }[] }>(
        service,
        workspace,
        'GET',
        resource,
      );
    const { id } = await call<Created>(service, workspace, 'POST', '/schedules', {
      target: 'technology',
      cron_expression: '@yearly',
    });
    await service.app
      .get(DataSource)
      .query(`UPDATE schedules SET next_run_at = now() - interval '1 minute' WHERE id = $1`, [
        id.replace('sched_', ''),
      ]);
    const { runs } = await until(
      () => get(`/schedules/${id}/runs`),
      ({ total }) => total > 0,
    );
    expect(runs).toEqual([expect.objectContaining({ trigger: 'cron', schedule_id: id })]);
    expect(await get(`/jobs/${runs[0]!.job_id}`)).toMatchObject({ status: 'pending', mode: 'history' });
    const queue = service.app.get<Queue>(getQueueToken(SCRAPE_QUEUE), { strict: false });
    const jobId = runs[0]!.job_id.replace('job_', '');
    expect((await until(() => queue.getJob(jobId)))?.data).toMatchObject({ jobId });
  });
});
