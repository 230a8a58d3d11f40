import { verifyWebhook } from '../../clients/typescript/src/client.js';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { OutboxRepository, type NewEvent } from '../../src/messages/outbox/outbox.repository.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { HistoryPruner } from '../../src/deliver/log/history-pruner.js';
import type { AlertablePost } from '../../src/alerts/matching/triggering.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { HttpReceiver, SmtpReceiver } from '../support/receivers.js';
import { bodyOf, verified } from '../support/webhook-reading.js';
import { until } from '../support/until.js';

const JOB = '0b6ae68e-6f0a-4d53-a8ac-2ea1fc5b4f44';

function post(id: string, title: string): AlertablePost {
  return {
    id,
    forum: 'Technology',
    title,
    author: 'somebody',
    createdUtc: new Date('2026-01-02T03:04:05Z'),
    permalink: `/r/Technology/comments/${id}/`,
    url: null,
    score: 1,
    numComments: 0,
    selftext: '',
  };
}

/* eslint-disable @typescript-eslint/no-explicit-any */
describe('deliveries', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let receiver: HttpReceiver;
  let mailbox: SmtpReceiver;

  beforeAll(async () => {
    mailbox = await SmtpReceiver.start();
    service = await startTestApplication({
      ROLES: 'api,worker',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '20ms,20ms,20ms',
      WEBHOOK_TIMEOUT_MS: '1000',
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'service@example.com',
      ALERT_EMAIL_TO: 'operator@example.com',
    });
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    receiver = await HttpReceiver.start();
  });
  afterEach(() => receiver.close());

  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<any> => (await requestAs(service, workspace, method, path).send(body)).body;
  const append = (event: NewEvent) =>
    service.app
      .get(TransactionRunner)
      .run((tx) => service.get(OutboxRepository).append(workspace.workspaceId, event, tx));
  const match = async (posts: AlertablePost[]): Promise<void> => {
    const matching = service.get(AlertMatchingService);
    const prepared = await matching.prepare(workspace.workspaceId);
    await service.app
      .get(TransactionRunner)
      .run((tx) => matching.matchBatch(workspace.workspaceId, JOB, { posts }, prepared, tx));
  };
  const jobDone = (n = 1): NewEvent => ({
    type: 'job.completed',
    uniqueKey: `job:${n}`,
    subjectId: JOB,
    data: { id: `job_${n}`, n },
  });

  const settled = (path: string) =>
    until(
      () => call('GET', path),
      ({ deliveries }) => deliveries.length > 0 && deliveries[0].status !== 'pending',
    );

  it('sends a signed event that the standard verifier accepts, and logs it', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhook = await call('POST', '/webhooks', { url: `${receiver.url}/hook`, secret });
    await append(jobDone());
    const [sent] = await receiver.received(1);
    expect(sent).toMatchObject({ method: 'POST', path: '/hook' });
    const event = verified(sent!, secret);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'job.completed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      workspace_id: `ws_${workspace.workspaceId}`,
      data: { id: 'job_1', n: 1 },
    });
    const { deliveries, total } = await settled(`/webhooks/${webhook.id}/deliveries`);
    expect(total).toBe(1);
    expect(deliveries[0]).toMatchObject({
      id: sent!.headers['webhook-id'],
      event_id: event.id,
      event_type: 'job.completed',
      status: 'delivered',
      attempts: 1,
      response_code: 200,
      error: null,
      next_attempt_at: null,
    });
    const [listed] = await call('GET', '/webhooks');
    expect(listed).toMatchObject({ failure_count: 0, last_triggered_at: expect.any(String) });
  });

  it('sends CloudEvents, signed as always, to a webhook that asks for them', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhook = await call('POST', '/webhooks?view=full', {
      url: receiver.url,
      secret,
      format: 'cloudevents',
    });
    expect(webhook.format).toBe('cloudevents');
    await append(jobDone());
    const [sent] = await receiver.received(1);
    expect(sent!.headers['content-type']).toBe('application/cloudevents+json');
    const event = verified(sent!, secret);
    expect(event).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^evt_/),
      source: `/api/v1/workspaces/ws_${workspace.workspaceId}`,
      type: 'job.completed',
      subject: `job_${JOB}`,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      datacontenttype: 'application/json',
      data: { id: 'job_1', n: 1 },
    });
    const { deliveries } = await settled(`/webhooks/${webhook.id}/deliveries`);
    const history = await call('GET', `/webhooks/${webhook.id}/deliveries/${deliveries[0].id}`);
    expect(history.payload).toEqual(event);
    const changed = await call('PATCH', `/webhooks/${webhook.id}?view=full`, { format: 'standard' });
    expect(changed.format).toBe('standard');
    expect(await call('GET', `/webhooks/${webhook.id}`)).not.toHaveProperty('format');
  });

  it('writes the events of a bucket as one object, and logs each of them', async () => {
    const address = receiver.url.replace('http://', 's3+http://AKIAEXAMPLE@');
    const webhook = await call('POST', '/webhooks', {
      url: `${address}/events/mine`,
      secret: 'the secret access key',
      format: 'cloudevents',
    });
    for (const n of [1, 2]) await append(jobDone(n));
    const [sent] = await receiver.received(1);
    expect(sent).toMatchObject({
      method: 'PUT',
      path: expect.stringMatching(/^\/events\/mine\/.*\.ndjson$/),
    });
    const events = sent!.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { specversion: string; data: { n: number } });
    expect(events.map(({ specversion, data: { n } }) => [specversion, n]).sort()).toEqual([
      ['1.0', 1],
      ['1.0', 2],
    ]);
    const { deliveries } = await until(
      () => call('GET', `/webhooks/${webhook.id}/deliveries?status=delivered`),
      ({ total }) => total === 2,
    );
    expect(deliveries[0]).toMatchObject({ attempts: 1, response_code: 200, error: null });
    expect(receiver.all).toHaveLength(1);
  });

  it('retries with the same id until a 2xx, and counts the failures before it', async () => {
    receiver.answerWith((_request, index) => (index < 2 ? { status: 500, body: 'a secret of theirs' } : {}));
    const webhook = await call('POST', '/webhooks', { url: receiver.url });
    await append(jobDone());
    const sent = await receiver.received(3);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    const { deliveries } = await settled(`/webhooks/${webhook.id}/deliveries`);
    const history = await call('GET', `/webhooks/${webhook.id}/deliveries/${deliveries[0].id}`);
    expect(
      (history.history as Record<string, unknown>[]).map(({ attempt, succeeded, response_code }) => [
        attempt,
        succeeded,
        response_code,
      ]),
    ).toEqual([
      [1, false, 500],
      [2, false, 500],
      [3, true, 200],
    ]);
    expect(history.payload).toEqual(JSON.parse(sent[0]!.body));
    expect(JSON.stringify(history)).not.toContain('secret');
    expect((await call('GET', '/webhooks'))[0].failure_count).toBe(0);
  });

  it('shows a failure after the last attempt, and delivers again on request', async () => {
    receiver.answerWith({ status: 302, headers: { location: '/elsewhere' } });
    const webhook = await call('POST', '/webhooks', { url: receiver.url });
    await append(jobDone());
    const { deliveries } = await settled(`/webhooks/${webhook.id}/deliveries`);
    expect(deliveries[0]).toMatchObject({ status: 'failed', attempts: 4, response_code: 302 });
    expect((await call('GET', '/webhooks'))[0].failure_count).toBe(4);
    expect(receiver.all.map(({ path }) => path)).toEqual(['/', '/', '/', '/']);
    receiver.answerWith({});
    await call('POST', `/webhooks/${webhook.id}/deliveries/${deliveries[0].id}/redeliver`);
    const again = await settled(`/webhooks/${webhook.id}/deliveries`);
    expect(again.deliveries[0]).toMatchObject({ id: deliveries[0].id, status: 'delivered', attempts: 5 });
    expect(new Set(receiver.all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('disables a webhook after a 410, and lists the deliveries that it is not sent', async () => {
    receiver.answerWith({ status: 410 });
    const webhook = await call('POST', '/webhooks', { url: receiver.url });
    await append(jobDone(1));
    await settled(`/webhooks/${webhook.id}/deliveries`);
    expect((await call('GET', '/webhooks'))[0]).toMatchObject({ is_active: false, failure_count: 1 });
    const test = await call('POST', `/webhooks/${webhook.id}/test`);
    expect(test).toMatchObject({ event_type: 'webhook.test' });
    await receiver.received(2);
    // Its 410 must be recorded before the webhook is switched on, or it would switch it off again.
    await settled(`/webhooks/${webhook.id}/deliveries`);
    receiver.answerWith({});
    await call('PATCH', `/webhooks/${webhook.id}`, { is_active: true });
    await append(jobDone(2));
    const sent = await receiver.received(3);
    expect(bodyOf(sent[2]!).data).toMatchObject({ n: 2 });
  });

  it('disables a webhook and the channel of an alert that failed for five days', async () => {
    receiver.answerWith({ status: 500 });
    const webhook = await call('POST', '/webhooks', { url: receiver.url });
    const alert = await call('POST', '/alerts', {
      name: 'Fusion',
      keywords: ['fusion power'],
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url },
    });
    for (const since of ['webhooks SET failing_since', 'alerts SET channel_failing_since'])
      await service.app
        .get(DataSource)
        .query(`UPDATE ${since} = now() - interval '5 days' WHERE workspace_id = $1`, [
          workspace.workspaceId,
        ]);
    await append(jobDone());
    await match([post('t3_a', 'Fusion power')]);
    for (const path of [`/webhooks/${webhook.id}`, `/alerts/${alert.id}`])
      expect((await settled(`${path}/deliveries`)).deliveries[0]).toMatchObject({
        status: 'failed',
        attempts: 1,
      });
    expect((await call('GET', '/webhooks'))[0]).toMatchObject({ is_active: false });
    await match([post('t3_b', 'Fusion power')]);
    const { deliveries } = await until(
      () => call('GET', `/alerts/${alert.id}/deliveries`),
      ({ deliveries: [newest], total }) => total === 2 && newest.status !== 'pending',
    );
    expect(deliveries[0]).toMatchObject({
      status: 'undeliverable',
      error: expect.stringContaining('failed for five days'),
    });
  });

  it('sends only to webhooks that subscribed to the event', async () => {
    const other = await HttpReceiver.start();
    await call('POST', '/webhooks', { url: other.url, events: ['job.failed'] });
    await call('POST', '/webhooks', { url: receiver.url, events: ['job.completed', 'job.failed'] });
    await append(jobDone());
    await append({ ...jobDone(), type: 'job.failed', uniqueKey: 'f' });
    await Promise.all([receiver.received(2), other.received(1)]);
    expect(other.all.map((one) => bodyOf(one).type)).toEqual(['job.failed']);
    await other.close();
  });

  it('signs with both secrets after a rotation', async () => {
    const webhook = await call('POST', '/webhooks', {
      url: receiver.url,
      secret: 'the old one of more than 24 bytes',
    });
    await call('PATCH', `/webhooks/${webhook.id}`, { secret: 'the new one of more than 24 bytes' });
    await call('POST', `/webhooks/${webhook.id}/test`);
    const [sent] = await receiver.received(1);
    expect(verified(sent!, 'the old one of more than 24 bytes')).toEqual(
      verified(sent!, 'the new one of more than 24 bytes'),
    );
    expect(() => verified(sent!, 'another one')).toThrow();
    await call('PATCH', `/webhooks/${webhook.id}`, { secret: null });
    await call('POST', `/webhooks/${webhook.id}/test`);
    const [, unsigned] = await receiver.received(2);
    expect(unsigned!.headers).not.toHaveProperty('webhook-signature');
  });

  it.each([
    ['1 character', 'ü'],
    ['256 characters', '🔑'.repeat(256)],
    ['the prefix and no base64', 'whsec_***'],
    ['base64 without padding', `whsec_${'A'.repeat(43)}`],
  ])('signs with a secret of %s, of a webhook, an alert and a rotation', async (_, secret) => {
    const { id } = await call('POST', '/webhooks', { url: receiver.url, secret });
    const alert = await call('POST', '/alerts', {
      name: 'Fusion',
      keywords: ['fusion'],
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url, secret },
    });
    const rotated = await call('POST', '/webhooks', { url: receiver.url });
    await call('PATCH', `/webhooks/${rotated.id}`, { secret });
    for (const path of [`/webhooks/${id}`, `/alerts/${alert.id}`, `/webhooks/${rotated.id}`])
      await call('POST', `${path}/test`);
    for (const { headers, body } of await receiver.received(3))
      expect((await verifyWebhook({ secret, headers, body })).type).toMatch(/\.test$/);
  });

  it('notifies of an alert through its channel and webhooks, once for a batch', async () => {
    const alert = await call('POST', '/alerts', {
      name: 'Fusion',
      keywords: ['fusion power'],
      channel: 'webhook',
      channel_config: { webhook_url: `${receiver.url}/alert`, secret: 's3cret of more than 24 bytes' },
    });
    await call('POST', '/webhooks', { url: `${receiver.url}/hook`, events: ['alert.triggered'] });
    const batch = [
      post('t3_a', 'Fusión-Power at last'),
      post('t3_b', 'Nothing'),
      post('t3_c', 'FUSION POWER!'),
    ];
    await match(batch);
    await match(batch);
    const sent = await receiver.received(2);
    const own = sent.find(({ path }) => path === '/alert')!;
    expect(verified(own, 's3cret of more than 24 bytes').data).toMatchObject({
      id: alert.id,
      name: 'Fusion',
      trigger_count: 1,
      matched_posts_total: 2,
      matched_posts: [
        { id: 't3_a', matched_keywords: ['fusion power'] },
        { id: 't3_c', matched_keywords: ['fusion power'] },
      ],
    });
    expect(own.body).not.toContain('channel_config');
    expect(bodyOf(own).id).toBe(bodyOf(sent.find(({ path }) => path === '/hook')!).id);
    expect((await call('GET', '/alerts'))[0]).toMatchObject({ trigger_count: 1 });
    const { deliveries } = await settled(`/alerts/${alert.id}/deliveries`);
    expect(deliveries).toHaveLength(1);
    await match([...batch, post('t3_d', 'fusion power again')]);
    const later = (await receiver.received(4)).slice(2);
    expect(later.map((one) => bodyOf(one).data.matched_posts_total)).toEqual([1, 1]);
  });

  it('tests the channel of an alert, even after a 410 has disabled it', async () => {
    receiver.answerWith({ status: 410 });
    const alert = await call('POST', '/alerts', {
      name: 'Fusion',
      keywords: ['fusion power', 'tokamak'],
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url, secret: 's3cret of more than 24 bytes' },
    });
    const test = `/alerts/${alert.id}/test`;
    expect(await call('POST', test)).toMatchObject({ event_type: 'alert.test', status: 'pending' });
    await settled(`/alerts/${alert.id}/deliveries`);
    receiver.answerWith({});
    await call('POST', test);
    const [, sent] = await receiver.received(2);
    expect(verified(sent!, 's3cret of more than 24 bytes')).toMatchObject({
      type: 'alert.test',
      data: {
        name: 'Fusion',
        matched_posts: [{ matched_keywords: ['fusion power'] }],
        matched_posts_total: 1,
      },
    });
    expect((await call('GET', '/alerts'))[0]).toMatchObject({ trigger_count: 0, last_triggered_at: null });
    expect(await call('GET', `/alerts/${alert.id}/matches`)).toMatchObject({ total: 0 });
  });

  it('does not match for inactive alerts, other forums or alerts that changed', async () => {
    const alert = await call('POST', '/alerts', {
      name: 'x',
      keywords: ['moon'],
      forums: ['space'],
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url },
    });
    await match([post('t3_a', 'moon')]);
    await call('PATCH', `/alerts/${alert.id}`, { forums: ['TECHNOLOGY'], is_active: false });
    await match([post('t3_b', 'moon')]);
    await call('PATCH', `/alerts/${alert.id}`, { is_active: true, keywords: ['sun'] });
    await match([post('t3_c', 'moon')]);
    expect((await call('GET', '/alerts'))[0].trigger_count).toBe(0);
    await match([post('t3_d', 'sun')]);
    expect((await call('GET', '/alerts'))[0].trigger_count).toBe(1);
  });

  it('mails an alert to its recipient or to the operator', async () => {
    await call('POST', '/alerts', {
      name: 'One',
      keywords: ['moon'],
      channel_config: { to: 'me@example.com' },
    });
    await call('POST', '/alerts', { name: 'Two', keywords: ['moon'] });
    await match([post('t3_a', 'To the moon')]);
    const mails = await mailbox.received(2);
    expect(mails.flatMap(({ to }) => to).sort()).toEqual(['me@example.com', 'operator@example.com']);
    expect(mails[0]!.raw).toContain('To the *moon*');
  });

  it('posts to a chat in its own format', async () => {
    await call('POST', '/alerts', {
      name: 'Chat',
      keywords: ['moon'],
      channel: 'chat_a',
      channel_config: { webhook_url: receiver.url },
    });
    await match([post('t3_a', 'To the moon')]);
    const [sent] = await receiver.received(1);
    expect(JSON.parse(sent!.body)).toMatchObject({ allowed_mentions: { parse: [] } });
  });

  it('delays no destination because of one that hangs', async () => {
    const dead = await HttpReceiver.start({ fault: 'hang' });
    const hanging = await call('POST', '/webhooks', { url: dead.url });
    await call('POST', '/webhooks', { url: receiver.url });
    for (let n = 0; n < 40; n += 1) await append(jobDone(n));
    const sent = await receiver.received(40);
    expect(new Set(sent.map((one) => bodyOf(one).data.n)).size).toBe(40);
    const { deliveries } = await call('GET', `/webhooks/${hanging.id}/deliveries?status=delivered`);
    expect(deliveries).toEqual([]);
    await call('DELETE', `/webhooks/${hanging.id}`);
    await dead.close();
  });

  it('deletes old events with their deliveries, except those in progress', async () => {
    const webhook = await call('POST', '/webhooks', { url: receiver.url });
    await append(jobDone(1));
    await settled(`/webhooks/${webhook.id}/deliveries`);
    const pruner = service.get(HistoryPruner);
    const age = (days: number, status: string) =>
      service.app.get(DataSource).query(
        `WITH aged AS (
           UPDATE outbox_events SET relayed_at = now() - $2 * interval '1 day' WHERE workspace_id = $1
         )
         UPDATE deliveries SET status = $3, completed_at = now(), lease_owner = NULL,
           next_attempt_at = CASE WHEN $3 = 'pending' THEN now() + interval '1 hour' END WHERE workspace_id = $1`,
        [workspace.workspaceId, days, status],
      );
    const kept = async (): Promise<unknown> => {
      await pruner.pruneBatch();
      return (await call('GET', `/webhooks/${webhook.id}/deliveries`)).total;
    };
    await age(29, 'delivered');
    expect(await kept()).toBe(1);
    await age(31, 'pending');
    expect(await kept()).toBe(1);
    await age(31, 'delivered');
    expect(await kept()).toBe(0);
  });

  it('prunes idle queues and events that were set aside after 30 days', async () => {
    const dataSource = service.app.get(DataSource);
    await dataSource.query(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, due_at, idle_since)
       SELECT $1, 'webhook', gen_random_uuid(), due_at, now() - days * interval '1 day'
       FROM (VALUES (29, NULL), (31, NULL), (31, now() + interval '1 day')) AS queue (days, due_at)`,
      [workspace.workspaceId],
    );
    await dataSource.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, set_aside_at)
       SELECT $1, gen_random_uuid(), 'job.failed', 'days ' || days, 'job', gen_random_uuid(), '{}', now() - days * interval '1 day'
       FROM (VALUES (29), (31)) AS event (days)`,
      [workspace.workspaceId],
    );
    await service.get(HistoryPruner).pruneBatch();
    const [left] = await dataSource.query<[{ queues: number; events: string[] }]>(
      `SELECT (SELECT count(*)::int FROM destination_queues WHERE workspace_id = $1) AS queues,
         (SELECT array_agg(unique_key) FROM outbox_events WHERE workspace_id = $1) AS events`,
      [workspace.workspaceId],
    );
    expect(left).toEqual({ queues: 2, events: ['days 29'] });
  });

  it('does not deliver a rolled-back event', async () => {
    await call('POST', '/webhooks', { url: receiver.url });
    const transactions = service.app.get(TransactionRunner);
    await expect(
      transactions.run(async (tx) => {
        await service.get(OutboxRepository).append(workspace.workspaceId, jobDone(1), tx);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    await append(jobDone(2));
    const sent = await receiver.received(1);
    expect(sent.map((one) => bodyOf(one).data.n)).toEqual([2]);
  });
});
