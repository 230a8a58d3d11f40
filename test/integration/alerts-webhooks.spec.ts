import { jest } from '@jest/globals';
import { DataSource, type EntityManager } from 'typeorm';
import { parseId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import {
  AlertMatchingService,
  AlertsChangedError,
  type PreparedMatcher,
} from '../../src/alerts/service/alert-matching.service.js';
import { AlertsRepository } from '../../src/alerts/alert/alerts.repository.js';
import { ChannelConfigs } from '../../src/alerts/alert/channel-configs.js';
import { AlertPreviewsService } from '../../src/alerts/service/alert-previews.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { AlertMatcher } from '../../src/alerts/matching/alert-matcher.js';
import type { AlertTriggeredData } from '../../src/alerts/matching/triggering.js';
import { WebhooksRepository } from '../../src/deliver/webhooks/webhooks.repository.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aComment } from '../factories/comments.js';
import { aPost, type NewPost } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';

const JOB = '0b6ae68e-6f0a-4d53-a8ac-2ea1fc5b4f44';

const storedPost = (number: number, forum: string, title: string): NewPost =>
  aPost(number, {
    id: `t3_${number}`,
    forum,
    title,
    selftext: '',
    createdUtc: new Date(Date.UTC(2026, 0, number)),
  });

const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1);
const DISCORD = 'https://discord.com/api/webhooks/1/token';

const service = await startTestApplication();

describe('alerts and webhooks over HTTP', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const get = (path: string) => requestAs(service, workspace, 'GET', path);
  const post = (path: string, body: object) => requestAs(service, workspace, 'POST', path).send(body);
  const patch = (path: string, body: object) => requestAs(service, workspace, 'PATCH', path).send(body);
  const fieldsOf = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field);

  it('changes an alert and keeps its secret unless another is sent', async () => {
    const { body: alert } = await post('/alerts', {
      name: 'x',
      keywords: ['a'],
      channel: 'webhook',
      channel_config: {
        webhook_url: 'https://example.com/hook',
        secret: 's3cret of more than 24 bytes',
        note: 'mine',
      },
    }).expect(201);
    expect(alert.channel_config).toEqual({ webhook_url: 'https://example.com/hook', note: 'mine' });
    const { body: changed } = await patch(`/alerts/${alert.id}`, {
      is_active: false,
      forums: ['Rust'],
      channel_config: { webhook_url: 'https://example.com/other' },
    }).expect(200);
    expect(changed).toEqual({
      ...alert,
      is_active: false,
      forums: ['Rust'],
      channel_config: { webhook_url: 'https://example.com/other' },
    });
    await patch(`/alerts/${alert.id}`, { channel_config: {} }).expect(400);
    await patch(`/alerts/${alert.id}`, {
      channel: 'chat_a',
      channel_config: { webhook_url: DISCORD },
    }).expect(200);
  });

  it('warns of what keeps an alert from doing what it says', async () => {
    const codes = ({ body }: { body: { warnings: { code: string }[] } }) =>
      body.warnings.map(({ code }) => code);
    const alert = { name: 'x', keywords: ['a'], question: 'Is it about a?' };
    const created = await post('/alerts?view=full', alert);
    expect(codes(created)).toEqual(['nothing_listened_to', 'no_mail_server', 'no_second_reader']);
    await post('/schedules', { target: 'chess', target_type: 'forum', cron_expression: '0 0 1 1 *' }).expect(
      201,
    );
    const path = `/alerts/${created.body.id}?view=full`;
    expect(codes(await get(path))).toEqual(['no_mail_server', 'no_second_reader']);
    const channel = { channel: 'webhook', channel_config: { webhook_url: 'https://example.com/hook' } };
    expect(codes(await patch(path, { ...channel, question: null }))).toEqual([]);
  });

  it('keeps the secret of a channel until another or null is sent', async () => {
    const url = { webhook_url: 'https://example.com/hook' };
    const { body: alert } = await post('/alerts', {
      name: 'x',
      keywords: ['a'],
      channel: 'webhook',
      channel_config: { ...url, secret: 'first of more than 24 bytes' },
    }).expect(201);
    const secrets: unknown[] = [];
    for (const sent of [{}, { secret: 'second of more than 24 bytes' }, {}, { secret: null }, {}]) {
      await patch(`/alerts/${alert.id}`, { channel_config: { ...url, ...sent } }).expect(200);
      const stored = await service.get(AlertsRepository).find(workspace.workspaceId, uuidOf(alert.id));
      secrets.push(service.get(ChannelConfigs).open(stored!).secret);
    }
    expect(secrets).toEqual([
      'first of more than 24 bytes',
      'second of more than 24 bytes',
      'second of more than 24 bytes',
      undefined,
      undefined,
    ]);
  });

  it('tries a disabled channel again only when it or its alert is changed', async () => {
    const channel = { channel: 'webhook', channel_config: { webhook_url: 'https://example.com/hook' } };
    const { body: alert } = await post('/alerts', { name: 'x', keywords: ['a'], ...channel }).expect(201);
    const repository = service.get(AlertsRepository);
    const { manager } = service.app.get(DataSource);
    const of = [workspace.workspaceId, uuidOf(alert.id)] as const;
    const isDisabledAfter = async (change: object) => {
      await repository.disableChannel(...of, 'gone', manager);
      await patch(`/alerts/${alert.id}`, change).expect(200);
      const stored = await repository.find(...of);
      return [stored!.channelDisabledReason !== null, stored!.channelFailingSince !== null];
    };
    await repository.recordChannelFailures(...of, { anySuccess: false, failingSince: new Date() }, manager);
    const kept = [await isDisabledAfter({ name: 'y' }), await isDisabledAfter({ is_active: false })];
    expect(kept).toEqual([
      [true, true],
      [true, true],
    ]);
    for (const change of [
      { is_active: true },
      { channel: channel.channel },
      { channel_config: channel.channel_config },
    ])
      expect([change, await isDisabledAfter(change)]).toEqual([change, [false, false]]);
  });

  it('disables a channel for its first reason, until it is tried again', async () => {
    const { body: alert } = await post('/alerts', { name: 'x', keywords: ['a'] }).expect(201);
    const repository = service.get(AlertsRepository);
    const { manager } = service.app.get(DataSource);
    const of = [workspace.workspaceId, uuidOf(alert.id)] as const;
    const changed: boolean[] = [];
    for (const reason of ['first', 'second'])
      changed.push(await repository.disableChannel(...of, reason, manager));
    expect(changed).toEqual([true, false]);
    expect(await repository.find(...of)).toMatchObject({ channelDisabledReason: 'first' });
  });

  it('can pause an alert whose channel is no longer usable', async () => {
    const { body: alert } = await post('/alerts', {
      name: 'x',
      keywords: ['a'],
      channel: 'chat_a',
      channel_config: { webhook_url: DISCORD },
    }).expect(201);
    await service.app
      .get(DataSource)
      .query(`UPDATE alerts SET sealed_channel_config = 'lost' WHERE workspace_id = $1`, [
        workspace.workspaceId,
      ]);
    const paused = await patch(`/alerts/${alert.id}`, { is_active: false }).expect(200);
    expect(paused.body).toEqual({ ...alert, is_active: false, channel_config: {} });
    await patch(`/alerts/${alert.id}`, { channel: 'webhook' }).expect(400);
  });

  it('gives a webhook five more days only for a new address or when switched on', async () => {
    const { id } = (await post('/webhooks', { url: 'https://example.com/hook' })).body as { id: string };
    const database = service.app.get(DataSource);
    const stored = async () => {
      const [row] = await database.query<[{ failing_since: Date | null; disabled_reason: string | null }]>(
        'SELECT failing_since, disabled_reason FROM webhooks WHERE workspace_id = $1',
        [workspace.workspaceId],
      );
      return row;
    };
    const fail = () =>
      database.query(
        `UPDATE webhooks SET failing_since = now(), disabled_reason = 'failed' WHERE workspace_id = $1`,
        [workspace.workspaceId],
      );
    await fail();
    await patch(`/webhooks/${id}`, { is_active: false, url: 'https://example.com/hook' }).expect(200);
    expect((await stored()).failing_since).not.toBeNull();
    await patch(`/webhooks/${id}`, { is_active: true }).expect(200);
    expect(await stored()).toEqual({ failing_since: null, disabled_reason: null });
    await fail();
    await patch(`/webhooks/${id}`, { url: 'https://example.com/other' }).expect(200);
    expect((await stored()).failing_since).toBeNull();
  });

  it('previews what a draft would have matched, and lists what an alert did match', async () => {
    const posts = [
      storedPost(1, 'Space', 'To the moon'),
      storedPost(2, 'Space', 'To the sun'),
      storedPost(3, 'finance', 'MOON!'),
    ];
    const { body: alert } = await post('/alerts', { name: 'x', keywords: ['moon'] }).expect(201);
    const matching = service.get(AlertMatchingService);
    const prepared = await matching.prepare(workspace.workspaceId);
    await service.app.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspace.workspaceId, posts, tx);
      await matching.matchBatch(workspace.workspaceId, JOB, { posts }, prepared, tx);
    });
    const preview = await post('/alerts/preview', { keywords: ['moon', 'sun'], forums: ['SPACE'] }).expect(
      200,
    );
    expect(preview.body).toMatchObject({
      posts_scanned: 2,
      total: 2,
      matches: [
        { post_id: 't3_2', title: 'To the sun', keywords: ['sun'] },
        { post_id: 't3_1', keywords: ['moon'] },
      ],
    });
    const byQuery = await post('/alerts/preview', { query: 'to -sun', of: 'all' }).expect(200);
    expect(byQuery.body).toMatchObject({ total: 1, matches: [{ post_id: 't3_1' }], comments_scanned: 0 });
    const everywhere = await post('/alerts/preview', { keywords: ['moon'], query: null }).expect(200);
    expect(everywhere.body).toMatchObject({ posts_scanned: 3, total: 2 });
    const { body } = await get(`/alerts/${alert.id}/matches?limit=1`).expect(200);
    expect(body).toMatchObject({
      matches: [{ post_id: 't3_3', job_id: `job_${JOB}`, keywords: ['moon'] }],
      total: 2,
      has_more: true,
    });
    const matches = async (query = '') => (await get(`/alerts/${alert.id}/matches${query}`)).body as object;
    // Matches of the same time are ordered by post.
    expect(await matches()).toMatchObject({ matches: [{ post_id: 't3_3' }, { post_id: 't3_1' }] });
    const query = (sql: string) => service.app.get(DataSource).query(sql, [workspace.workspaceId]);
    await query(
      `UPDATE alert_matches SET matched_at = (matched_at AT TIME ZONE 'UTC' - interval '1 minute') AT TIME ZONE 'UTC'
       WHERE workspace_id = $1 AND post_id = 't3_3'`,
    );
    expect(await matches()).toMatchObject({ matches: [{ post_id: 't3_1' }, { post_id: 't3_3' }] });
    expect(await matches('?limit=1&offset=1')).toMatchObject({
      matches: [{ post_id: 't3_3' }],
      total: 2,
      has_more: false,
    });
    await query(`DELETE FROM posts WHERE workspace_id = $1 AND id = 't3_1'`);
    expect(await matches()).toMatchObject({ matches: [{ post_id: 't3_3' }] });
    await post('/alerts/preview', { keywords: ['moon'], name: 'x' }).expect(400);
  });

  it.each([
    ['/alerts', { name: 'x', keywords: ['a'] }],
    ['/webhooks', { url: 'https://example.com/' }],
    ['/api-keys', { name: 'x' }],
  ])('lists %s oldest first, and by id when they are equally old', async (path, body) => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await post(path, body).expect(201)).body.id as string);
    const own = new Set(ids);
    const listed = async () =>
      ((await get(path)).body as { id: string }[]).map(({ id }) => id).filter((id) => own.has(id));
    expect(await listed()).toEqual(ids);
    await service.app
      .get(DataSource)
      .query(`UPDATE ${path.slice(1).replace('-', '_')} SET created_at = now() WHERE workspace_id = $1`, [
        workspace.workspaceId,
      ]);
    expect(await listed()).toEqual([...ids].sort());
  });

  it('locks an alert or webhook that is being changed', async () => {
    const { body: alert } = await post('/alerts', { name: 'x', keywords: ['a'] }).expect(201);
    const { body: webhook } = await post('/webhooks', { url: 'https://example.com/' }).expect(201);
    const dataSource = service.app.get(DataSource);
    const { workspaceId } = workspace;
    const alerts = service.get(AlertsRepository);
    const webhooks = service.get(WebhooksRepository);
    const isLocked = async (table: string, lock: (tx: EntityManager) => Promise<unknown>) =>
      dataSource.transaction(async (tx) => {
        await lock(tx);
        const other = `SELECT 1 FROM ${table} WHERE workspace_id = $1 FOR UPDATE SKIP LOCKED`;
        return (await dataSource.query<unknown[]>(other, [workspaceId])).length === 0;
      });
    expect([
      await isLocked('alerts', (tx) => alerts.lock(workspaceId, uuidOf(alert.id), tx)),
      await isLocked('alerts', (tx) => alerts.lockActive(workspaceId, [uuidOf(alert.id)], tx)),
      await isLocked('webhooks', (tx) => webhooks.lock(workspaceId, uuidOf(webhook.id), tx)),
    ]).toEqual([true, true, true]);
  });

  it('masks addresses of channels for keys that may not write', async () => {
    const config = {
      webhook_url: DISCORD,
      chat_id: '@ops',
      to: 'ops@example.com',
      bot_token: '12:abc',
      token: '34:def',
      api_key: 'key',
      secret: 'open-sesame of more than 24 bytes',
    };
    const draft = { name: 'x', keywords: ['a'], channel: 'chat_a', channel_config: config };
    const { body: alert } = await post('/alerts', draft).expect(201);
    const { body: key } = await post('/api-keys', { name: 'reader', scopes: ['read'] }).expect(201);
    const reader = { ...workspace, apiKey: key.key as string };
    const shown = await requestAs(service, reader, 'GET', '/alerts').expect(200);
    expect(shown.body[0].channel_config).toEqual({
      webhook_url: 'https://discord.com/***',
      chat_id: '@ops',
      to: 'ops@example.com',
      bot_token: '***',
      token: '***',
      api_key: '***',
    });
    const one = await requestAs(service, reader, 'GET', `/alerts/${alert.id}`).expect(200);
    expect(one.body).toEqual(shown.body[0]);
    const whole = await get('/alerts').expect(200);
    expect(whole.body[0].channel_config).toEqual(alert.channel_config);
    expect(alert.channel_config.webhook_url).toBe(DISCORD);
    // If the masked address were accepted, it would replace the real one by one that reaches nothing.
    const refused = await patch(`/alerts/${alert.id}`, {
      channel_config: shown.body[0].channel_config,
    }).expect(400);
    expect(fieldsOf(refused.body)).toEqual(['channel_config.webhook_url']);
  });

  it("shows a webhook's whole URL only to keys with the scope write", async () => {
    const url = 'https://example.com/token/of-the-receiver?key=1';
    const webhook = (await post('/webhooks', { url }).expect(201)).body as { id: string; url: string };
    expect(webhook.url).toBe(url);
    const { body: key } = await post('/api-keys', { name: 'reader', scopes: ['read'] }).expect(201);
    const reader = { ...workspace, apiKey: key.key as string };
    const shown = await requestAs(service, reader, 'GET', `/webhooks/${webhook.id}`).expect(200);
    expect(shown.body.url).toBe('https://example.com/***');
    const list = await requestAs(service, reader, 'GET', '/webhooks').expect(200);
    expect(list.text).not.toContain('of-the-receiver');
    expect((await get(`/webhooks/${webhook.id}`).expect(200)).body.url).toBe(url);
    // If the masked address were accepted, it would replace the real one by one that reaches nothing.
    const refused = await patch(`/webhooks/${webhook.id}`, { url: shown.body.url }).expect(400);
    expect(fieldsOf(refused.body)).toEqual(['url']);
  });

  it('takes a bucket only with its secret access key, apart from its address', async () => {
    const url = 's3://AKIAEXAMPLE@s3.example.com/events/mine?region=eu-1';
    const secret = 'the secret access key';
    expect(fieldsOf((await post('/webhooks', { url }).expect(400)).body)).toEqual(['secret']);
    const inAddress = { url: url.replace('@', ':secret@'), secret };
    expect(fieldsOf((await post('/webhooks', inAddress).expect(400)).body)).toEqual(['url']);
    const internal = { url: url.replace('s3.example.com', '10.0.0.7'), secret };
    expect(fieldsOf((await post('/webhooks', internal).expect(400)).body)).toEqual(['url']);
    const { body: webhook } = await post('/webhooks', { url, secret }).expect(201);
    expect(webhook).toMatchObject({ url });
    expect(JSON.stringify(webhook)).not.toContain(secret);
    const unsigned = await patch(`/webhooks/${webhook.id}`, { secret: null }).expect(400);
    expect(fieldsOf(unsigned.body)).toEqual(['secret']);
    const { body: key } = await post('/api-keys', { name: 'reader', scopes: ['read'] }).expect(201);
    const shown = await requestAs(
      service,
      { ...workspace, apiKey: key.key as string },
      'GET',
      `/webhooks/${webhook.id}`,
    ).expect(200);
    expect(shown.body.url).toBe('s3://s3.example.com/***');
    const { body: posted } = await post('/webhooks', { url: 'https://example.com/hook' }).expect(201);
    await patch(`/webhooks/${posted.id}`, { url }).expect(400);
    await patch(`/webhooks/${posted.id}`, { url, secret }).expect(200);
  });

  it('sends no secret to another address whose credential it would be', async () => {
    const { body: signed } = await post('/webhooks', {
      url: 'https://example.com/hook',
      secret: 'signs requests only',
    }).expect(201);
    const url = 'amqps://me@broker.example?key=jobs';
    const refused = await patch(`/webhooks/${signed.id}`, { url }).expect(400);
    expect(fieldsOf(refused.body)).toEqual(['secret']);
    await patch(`/webhooks/${signed.id}`, { url, secret: 'the password' }).expect(200);
    await patch(`/webhooks/${signed.id}`, { url, events: ['job.failed'] }).expect(200);
    for (const another of ['amqps://me@another.example?key=jobs', 'amqp://me@broker.example?key=jobs'])
      await patch(`/webhooks/${signed.id}`, { url: another }).expect(400);
    await patch(`/webhooks/${signed.id}`, { url: 'https://example.com/hook' }).expect(200);
  });

  it('stores no secret in the clear', async () => {
    await post('/webhooks', {
      url: 'https://example.com/hooks/token',
      secret: 'open-sesame of more than 24 bytes',
    }).expect(201);
    await post('/alerts', {
      name: 'x',
      keywords: ['a'],
      channel: 'chat_a',
      channel_config: { webhook_url: DISCORD },
    }).expect(201);
    const rows = await service.app
      .get(DataSource)
      .query<object[]>('SELECT webhooks::text FROM webhooks UNION ALL SELECT alerts::text FROM alerts');
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(rows)).not.toMatch(/open-sesame|hooks\/token|webhooks\/1\/token/);
  });
});

describe('matching a batch against alerts', () => {
  let matching: AlertMatchingService;
  let alerts: AlertsService;
  let workspaceId: string;

  beforeAll(() => {
    matching = service.get(AlertMatchingService);
    alerts = service.get(AlertsService);
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
  });
  afterEach(() => jest.restoreAllMocks());

  const post = { ...aPost(1), title: 'Rust and Go', selftext: '' };
  const create = (keyword: string) => alerts.create(workspaceId, { name: keyword, keywords: [keyword] });
  const store = (prepared: PreparedMatcher | null, posts = [post]): Promise<void> =>
    service.get(TransactionRunner).run(async (tx) => {
      await service.get(PostsRepository).upsert(workspaceId, posts, tx);
      await matching.matchBatch(workspaceId, JOB, { posts }, prepared, tx);
    });
  const triggered = async (): Promise<string[]> =>
    (await alerts.list(workspaceId, { masked: false }))
      .filter((alert) => alert.trigger_count > 0)
      .map(({ name }) => name);

  it('compiles an unchanged set of alerts once', async () => {
    await create('rust');
    const compile = jest.spyOn(AlertMatcher, 'compile');
    const version = jest.spyOn(service.get(AlertsRepository), 'version');
    for (let batch = 0; batch < 3; batch += 1) await matching.withMatcher(workspaceId, store);
    expect(compile).toHaveBeenCalledTimes(1);
    expect(version).toHaveBeenCalledTimes(1 + 3);
    expect(await triggered()).toEqual(['rust']);
  });

  it('refuses a matcher of alerts that have changed, and stores nothing', async () => {
    const prepared = await matching.prepare(workspaceId);
    await create('rust');
    await expect(store(prepared)).rejects.toBeInstanceOf(AlertsChangedError);
    await expect(
      service.get(AlertPreviewsService).preview(workspaceId, { keywords: ['rust'] }),
    ).resolves.toMatchObject({
      posts_scanned: 0,
    });
  });

  it.each([
    { change: 'changed', by: (id: string) => alerts.update(workspaceId, id, { keywords: ['go'] }) },
    { change: 'deleted', by: (id: string) => alerts.delete(workspaceId, id) },
  ])('refuses a matcher of an alert that was $change', async ({ by }) => {
    const { id } = await create('rust');
    const prepared = await matching.prepare(workspaceId);
    await by(parseId('alert', id)!);
    await expect(store(prepared)).rejects.toBeInstanceOf(AlertsChangedError);
  });

  it('matches an alert that was created between compilation and transaction', async () => {
    await create('go');
    let attempts = 0;
    await matching.withMatcher(workspaceId, async (prepared) => {
      attempts += 1;
      if (attempts === 1) await create('rust');
      await store(prepared);
    });
    expect(attempts).toBe(2);
    expect(await triggered()).toEqual(['go', 'rust']);
  });

  it('compiles within the transaction when alerts change at every attempt', async () => {
    const given: boolean[] = [];
    await matching.withMatcher(workspaceId, async (prepared) => {
      given.push(prepared !== null);
      await create('rust');
      await store(prepared);
    });
    expect(given).toEqual([true, true, true, false]);
    expect(await triggered()).toEqual(['rust', 'rust', 'rust', 'rust']);
  });

  it('matches a query on comments, and sends both kinds in one event', async () => {
    const query = 'rust -javascript author:ann';
    await alerts.create(workspaceId, { name: 'both', query, of: 'all' });
    await alerts.create(workspaceId, { name: 'posts', query });
    const comments = [
      { ...aComment(1), body: 'Rust', author: 'ann' },
      { ...aComment(2), body: 'Rust and JavaScript', author: 'ann' },
      { ...aComment(3), body: 'Rust', author: 'bob' },
    ];
    const posts = [{ ...post, author: 'ann' }];
    await service
      .get(TransactionRunner)
      .run((tx) => matching.matchBatch(workspaceId, JOB, { posts, comments }, null, tx));
    const events = await service.app
      .get(DataSource)
      .query<{ data: AlertTriggeredData }[]>(
        `SELECT data FROM outbox_events WHERE workspace_id = $1 ORDER BY data ->> 'name'`,
        [workspaceId],
      );
    expect(events.map(({ data }) => [data.name, data.posts.length, data.comments.length])).toEqual([
      ['both', 1, 1],
      ['posts', 1, 0],
    ]);
  });

  it('sends a match once, even when another one comes with it', async () => {
    await create('rust');
    await store(null);
    await store(null, [post, { ...aPost(2), title: 'Rust', selftext: '' }]);
    const events = await service.app.get(DataSource).query<{ ids: string[] }[]>(
      `SELECT jsonb_path_query_array(data::jsonb, '$.matched_posts[*].id') AS ids FROM outbox_events
       WHERE workspace_id = $1 AND type = 'alert.triggered' ORDER BY 1`,
      [workspaceId],
    );
    expect(events.map(({ ids }) => ids)).toEqual([[aPost(1).id], [aPost(2).id]]);
  });

  it('sends one event for each alert, with its own keywords and counters', async () => {
    await create('go');
    await alerts.create(workspaceId, { name: 'both', keywords: ['rust', 'go'] });
    await store(null);
    await store(null, [{ ...aPost(2), title: 'Go' }]);
    const events = await service.app.get(DataSource).query<{ data: Record<string, unknown> }[]>(
      `SELECT data FROM outbox_events WHERE workspace_id = $1
       ORDER BY data ->> 'name', (data ->> 'trigger_count')::int`,
      [workspaceId],
    );
    const shown = events.map(({ data }) => {
      const { name, trigger_count: count, matched_posts: posts } = data;
      return [name, count, (posts as { matched_keywords: string[] }[]).map((one) => one.matched_keywords)];
    });
    expect(shown).toEqual([
      ['both', 1, [['rust', 'go']]],
      ['both', 2, [['go']]],
      ['go', 1, [['go']]],
      ['go', 2, [['go']]],
    ]);
    const times = new Set(events.map(({ data }) => data.last_triggered_at));
    const listed = await alerts.list(workspaceId, { masked: false });
    for (const { last_triggered_at: last } of listed) {
      expect(times).toContain(last!.toISOString());
      expect(Math.max(...[...times].map((time) => Date.parse(String(time))))).toBe(last!.getTime());
    }
  });

  it('skips an alert that is switched off after the version was read', async () => {
    const { id } = await create('rust');
    await create('go');
    const prepared = await matching.prepare(workspaceId);
    const repository = service.get(AlertsRepository);
    const version = repository.version.bind(repository);
    jest.spyOn(repository, 'version').mockImplementationOnce(async (...of) => {
      const read = await version(...of);
      await alerts.update(workspaceId, id.slice(id.indexOf('_') + 1), { is_active: false });
      return read;
    });
    await store(prepared);
    expect(await triggered()).toEqual(['go']);
  });

  it('previews a hundred matches and counts them all', async () => {
    const posts = Array.from({ length: 101 }, (_, number) => ({ ...aPost(number), title: 'Rust' }));
    await store(null, posts);
    const preview = await service.get(AlertPreviewsService).preview(workspaceId, { keywords: ['rust'] });
    expect([preview.total, preview.matches.length]).toEqual([101, 100]);
  });

  it('allows an alert to watch less while the workspace exceeds its quota', async () => {
    const { id } = await alerts.create(workspaceId, { name: 'x', keywords: ['a', 'b', 'c'] });
    await service.app
      .get(DataSource)
      .query(`UPDATE workspaces SET quotas = '{"alert_keywords": 1}' WHERE id = $1`, [workspaceId]);
    const changed = await alerts.update(workspaceId, uuidOf(id), { keywords: ['a', 'b'] });
    expect(changed.keywords).toEqual(['a', 'b']);
    for (const more of [{ forums: ['one', 'two'] }, { keywords: ['a', 'b', 'c'] }])
      await expect(alerts.update(workspaceId, uuidOf(id), more)).rejects.toMatchObject({
        code: 'quota_exceeded',
      });
  });

  it('counts what the quotas limit: alerts, and keywords for each forum', async () => {
    await create('rust');
    await alerts.create(workspaceId, { name: 'x', keywords: ['a', 'b', 'c'], forums: ['one', 'two'] });
    const other = await service.createWorkspace();
    await alerts.create(other.workspaceId, { name: 'y', keywords: ['a'] });
    const repository = service.get(AlertsRepository);
    const { manager } = service.app.get(DataSource);
    expect(await repository.count(workspaceId, manager)).toBe(2);
    expect(await repository.countKeywords(workspaceId, manager)).toBe(1 + 3 * 2);
  });

  it('deletes the matches of an alert with it where no foreign key does', async () => {
    const database = service.app.get(DataSource);
    // A cluster has none.
    const keys = await database.query<{ name: string }[]>(
      `SELECT conname AS name FROM pg_constraint
       WHERE conrelid = 'alert_matches'::regclass AND confrelid = 'alerts'::regclass`,
    );
    for (const { name } of keys) await database.query(`ALTER TABLE alert_matches DROP CONSTRAINT ${name}`);
    const [deleted, kept] = [await create('rust'), await create('go')];
    await store(null);
    await alerts.delete(workspaceId, parseId('alert', deleted.id)!);
    const left = database.query('SELECT alert_id AS id FROM alert_matches WHERE workspace_id = $1', [
      workspaceId,
    ]);
    expect(await left).toEqual([{ id: parseId('alert', kept.id) }]);
  });
});
