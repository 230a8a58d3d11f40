import { isDeepStrictEqual } from 'node:util';
import { DataSource } from 'typeorm';
import { startTestApplication, type TestWorkspace } from '../../support/application.js';
import { ContractClient } from '../../support/contract.js';
import { PostgresClock } from '../../../src/database/database-clock.js';
import { claimerOn } from '../../support/schedules.js';

interface Refusal {
  id: string;
  code: string;
  detail: string;
  quota: string;
  limit: number;
  used: number;
}

const ALERT = {
  name: 'Test',
  keywords: ['battery', 'phone'],
  channel: 'email',
  channel_config: { to: 'a@example.com' },
};

const service = await startTestApplication({
  QUOTA_PENDING_JOBS: '3',
  QUOTA_SCHEDULES: '3',
  QUOTA_ALERTS: '3',
  QUOTA_ALERT_KEYWORDS: '10',
  QUOTA_WEBHOOKS: '3',
  QUOTA_API_KEYS: '3',
  QUOTA_EVENT_STREAMS: '1',
});
const client = new ContractClient(service);

describe('quotas', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const post = (resource: string, body: unknown) =>
    client.post<Refusal>(workspace.path(resource), body, { key: workspace.apiKey });
  const usage = async () =>
    (
      await client.get<{
        quotas: Record<string, { limit: number; used: number }>;
        storage: object;
        requests_last_minute: number;
      }>(workspace.path('/usage'), { key: workspace.apiKey })
    ).body;
  const setQuotas = (quotas: Record<string, number>) =>
    service.app
      .get(DataSource)
      .query('UPDATE workspaces SET quotas = $2 WHERE id = $1', [workspace.workspaceId, quotas]);

  const CREATIONS: [string, string, unknown, number][] = [
    ['pending_jobs', '/jobs', { target: 'technology' }, 0],
    ['schedules', '/schedules', { target: 'technology', cron_expression: '0 0 1 1 *' }, 0],
    ['alerts', '/alerts', ALERT, 0],
    ['webhooks', '/webhooks', { url: 'https://hooks.example.com/x' }, 0],
    // The workspace's first key counts.
    ['api_keys', '/api-keys', { name: 'Test' }, 1],
  ];

  it.each(CREATIONS)(
    'hold exactly for %s, however many are created at once',
    async (quota, path, body, before) => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(path, body)));
      const refused = answers.filter(({ status }) => status !== 201);
      expect(answers.length - refused.length).toBe(3 - before);
      for (const answer of refused) {
        expect([answer.status, answer.body.code]).toEqual([403, 'quota_exceeded']);
        expect(answer.body).toMatchObject({ quota, limit: 3, used: 3 });
        expect(answer.body.detail).toContain(`${quota} exceeded: limit 3, used 3, requested 1.`);
      }
      expect((await usage()).quotas[quota]).toEqual({ limit: 3, used: 3 });
    },
  );

  it('count the keywords of alerts, once for each forum', async () => {
    const created = await post('/alerts', { ...ALERT, forums: ['a', 'b', 'c', 'd'] });
    expect((await usage()).quotas.alert_keywords).toEqual({ limit: 10, used: 8 });
    expect((await post('/alerts', { ...ALERT, keywords: ['a', 'b', 'c'] })).body.quota).toBe(
      'alert_keywords',
    );
    const patch = (body: unknown) =>
      client.call<Refusal>('PATCH', workspace.path(`/alerts/${created.body.id}`), {
        key: workspace.apiKey,
        body,
      });
    expect((await patch({ keywords: ['a', 'b', 'c'] })).body).toMatchObject({
      quota: 'alert_keywords',
      used: 8,
    });
    expect((await patch({ forums: [] })).status).toBe(200);
    expect((await post('/alerts', { ...ALERT, keywords: ['a', 'b', 'c'] })).status).toBe(201);
    // Two of the seven are already counted.
    expect((await patch({ keywords: [...'abcdefg'] })).status).toBe(200);
    expect((await usage()).quotas.alert_keywords).toEqual({ limit: 10, used: 10 });
  });

  it('are free again after deletion and revocation', async () => {
    const keys = [await post('/api-keys', { name: '1' }), await post('/api-keys', { name: '2' })];
    expect((await post('/api-keys', { name: '3' })).status).toBe(403);
    await client.call('DELETE', workspace.path(`/api-keys/${keys[0]!.body.id}`), { key: workspace.apiKey });
    expect((await post('/api-keys', { name: '3' })).status).toBe(201);
  });

  it('are free again when a key has expired', async () => {
    await post('/api-keys', { name: '1' });
    const ending = await post('/api-keys', {
      name: '2',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect((await post('/api-keys', { name: '3' })).status).toBe(403);
    await service.app
      .get(DataSource)
      .query(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [
        String(ending.body.id).split('_')[1],
      ]);
    expect((await post('/api-keys', { name: '3' })).status).toBe(201);
  });

  it('leave a key unchanged whose roll would exceed the limit', async () => {
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await post('/api-keys', { name: 'ending', expires_at: ends });
    const roll = (overlap_seconds: number) => post(`/api-keys/${body.id}/roll`, { overlap_seconds });
    const end = async () =>
      (
        await client.get<{ expires_at: string }>(workspace.path(`/api-keys/${body.id}?view=full`), {
          key: workspace.apiKey,
        })
      ).body.expires_at;
    expect((await roll(86_400)).status).toBe(201);
    expect(await end()).toBe(ends);
    const refused = await roll(60);
    expect([refused.status, refused.body.quota]).toEqual([403, 'api_keys']);
    expect(await end()).toBe(ends);
  });

  it('differ for a workspace that has its own; 0 means no limit', async () => {
    await setQuotas({ webhooks: 1, pending_jobs: 0, concurrent_searches: 0 });
    const webhook = () => post('/webhooks', { url: 'https://hooks.example.com/x' });
    expect([(await webhook()).status, (await webhook()).status]).toEqual([201, 403]);
    for (let job = 0; job < 5; job += 1) expect((await post('/jobs', { target: 'x' })).status).toBe(201);
    expect((await usage()).quotas.pending_jobs).toEqual({ limit: 0, used: 5 });
    const search = await client.get(workspace.path('/posts'), { key: workspace.apiKey });
    expect(search.status).toBe(200);
  });

  it('do not affect another workspace', async () => {
    for (let job = 0; job < 4; job += 1) await post('/jobs', { target: 'x' });
    workspace = await service.createWorkspace();
    expect((await post('/jobs', { target: 'x' })).status).toBe(201);
  });

  it('refuse an event stream beyond the limit until the first has ended', async () => {
    const job = await post('/jobs', { target: 'technology' });
    const path = workspace.path(`/jobs/${job.body.id}/events`);
    const ending = new AbortController();
    const stream = await fetch(service.url + path, {
      headers: { 'X-API-Key': workspace.apiKey },
      signal: ending.signal,
    });
    expect(stream.status).toBe(200);
    const refused = await client.get<Refusal>(path, { key: workspace.apiKey });
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'too_many_concurrent_requests',
      '1',
    ]);
    expect(refused.body).toMatchObject({ quota: 'event_streams', limit: 1, used: 1 });
    expect((await usage()).quotas.event_streams!.used).toBe(1);
    ending.abort();
    let used = 1;
    for (let attempt = 0; attempt < 200 && used > 0; attempt += 1)
      used = (await usage()).quotas.event_streams!.used;
    expect(used).toBe(0);
  });

  it('refuse searches, statistics and exports beyond the limits', async () => {
    await setQuotas({ concurrent_searches: 2, running_exports: 1 });
    const search = () => client.get<Refusal>(workspace.path('/posts'), { key: workspace.apiKey });
    const count = () => client.get<Refusal>(workspace.path('/analytics/facets'), { key: workspace.apiKey });
    const exported = () => client.get<Refusal>(workspace.path('/exports/posts'), { key: workspace.apiKey });
    const used = async () => {
      const { concurrent_searches, running_exports } = (await usage()).quotas;
      return [concurrent_searches, running_exports];
    };
    const lock = service.app.get(DataSource).createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
    const running = [search(), count(), exported()];
    const full = [
      { limit: 2, used: 2 },
      { limit: 1, used: 1 },
    ];
    for (let attempt = 0; attempt < 500 && !isDeepStrictEqual(await used(), full); attempt += 1);
    expect(await used()).toEqual(full);
    const refused = await Promise.all([search(), count(), exported()]);
    await lock.rollbackTransaction();
    await lock.release();
    for (const { status, body, headers } of refused) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([
        429,
        'too_many_concurrent_requests',
        '1',
      ]);
      expect(body.detail).toMatch(/ used \d+\. Wait until a running request ends/);
    }
    const [searches, exports] = [{ quota: 'concurrent_searches' }, { quota: 'running_exports' }];
    expect(refused.map(({ body }) => body)).toMatchObject([
      { ...searches, ...full[0] },
      { ...searches, ...full[0] },
      { ...exports, ...full[1] },
    ]);
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await used()).toEqual([
      { limit: 2, used: 0 },
      { limit: 1, used: 0 },
    ]);
  });

  it('record a due time beyond the pending jobs as skipped, with the reason', async () => {
    const dataSource = service.app.get(DataSource);
    await setQuotas({ pending_jobs: 1 });
    for (const target of ['a', 'b']) await post('/schedules', { target, cron_expression: '* * * * *' });
    await dataSource.query(
      `UPDATE schedules SET next_run_at = now() - interval '1 minute' WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    await claimerOn(dataSource, new PostgresClock(dataSource)).claimBatch();
    const occurrences = await dataSource.query<{ skip_reason: string | null; detail: string | null }[]>(
      `SELECT skip_reason, detail FROM schedule_runs WHERE workspace_id = $1 ORDER BY skip_reason NULLS FIRST`,
      [workspace.workspaceId],
    );
    expect(occurrences.map((one) => one.skip_reason)).toEqual([null, 'quota_exceeded']);
    expect(occurrences[1]!.detail).toContain('pending_jobs');
    expect((await usage()).quotas.pending_jobs).toEqual({ limit: 1, used: 1 });
  });

  it('apply to jobs that are run manually or repeated', async () => {
    const created = await post('/schedules', { target: 'technology', cron_expression: '0 0 1 1 *' });
    const { id } = created.body as unknown as { id: string };
    const job = (await post('/jobs', { target: 'technology' })).body as unknown as { id: string };
    await setQuotas({ pending_jobs: 1 });
    for (const address of [`/schedules/${id}/run`, `/jobs/${job.id}/repeat`]) {
      const { status, body } = await post(address, undefined);
      expect([address, status, body.code, body.quota]).toEqual([
        address,
        403,
        'quota_exceeded',
        'pending_jobs',
      ]);
    }
    expect((await usage()).quotas.pending_jobs).toEqual({ limit: 1, used: 1 });
  });

  it('are shown with the stored amounts and the requests of the last minute', async () => {
    const before = (await usage()).requests_last_minute;
    for (let request = 0; request < 3; request += 1) await post('/jobs', {});
    const shown = await usage();
    expect(shown.requests_last_minute).toBe(before + 4);
    expect(shown.storage).toEqual({ posts: 0, comments: 0, media_bytes: 0 });
    expect(shown.quotas).toMatchObject({
      media_bytes: { limit: 107_374_182_400, used: 0 },
      concurrent_searches: { limit: 4, used: 0 },
      running_exports: { limit: 2, used: 0 },
    });
  });

  it('count refusals in a metric', async () => {
    await setQuotas({ schedules: 1 });
    const refusals = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/wss_quota_refusals_total\{quota="schedules"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await refusals();
    for (let attempt = 0; attempt < 3; attempt += 1)
      await post('/schedules', { target: 'x', cron_expression: '0 0 1 1 *' });
    expect(await refusals()).toBe(before + 2);
  });
});
