import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { createApplication } from '../../src/application.js';
import { Clock } from '../../src/common/clock.js';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { requestAs } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { bodyOf } from '../support/webhook-reading.js';
import { until } from '../support/until.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/* eslint-disable @typescript-eslint/no-explicit-any */
describe('how deliveries end', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let receiver: HttpReceiver;

  beforeAll(async () => {
    service = await startTestApplication({
      ROLES: 'api',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '20ms',
      WEBHOOK_TIMEOUT_MS: '5000',
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
  const append = (...names: string[]) =>
    service.app.get(TransactionRunner).run(async (tx) => {
      for (const name of names)
        await service.get(OutboxRepository).append(
          workspace.workspaceId,
          {
            type: 'job.completed',
            uniqueKey: name,
            subjectId: newId(),
            data: { name },
          },
          tx,
        );
    });
  /** The newest delivery, once it is as wanted. */
  async function newest(webhookId: string, wanted: (delivery: any) => boolean): Promise<any> {
    const { deliveries } = await until(
      () => call('GET', `/webhooks/${webhookId}/deliveries`),
      (page) => page.deliveries.length > 0 && wanted(page.deliveries[0]),
    );
    return deliveries[0];
  }
  const startWorker = () => createApplication({ ...service.environment, ROLES: ['worker'] });
  const query = (sql: string): Promise<Record<string, unknown>[]> =>
    service.app.get(DataSource).query(sql, [workspace.workspaceId]);

  it('disables a webhook after five days without a success', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const worker = await startWorker();
    await worker.init();
    try {
      let ahead = 0;
      worker.get(Clock).now = () => new Date(Date.now() + ahead);
      receiver.answerWith({ status: 500 });
      const webhook = await call('POST', '/webhooks', { url: receiver.url });
      const ended = async (name: string): Promise<any> => {
        const before = (await call('GET', `/webhooks/${webhook.id}/deliveries`)).total;
        await append(name);
        const { deliveries } = await until(
          () => call('GET', `/webhooks/${webhook.id}/deliveries`),
          (page) => page.total > before && page.deliveries[0].status !== 'pending',
        );
        return deliveries[0];
      };
      const shown = async (): Promise<any> => (await call('GET', '/webhooks'))[0];

      await ended('first');
      ahead = 5 * DAY_MS - HOUR_MS;
      expect(await ended('almost five days later')).toMatchObject({ status: 'failed', attempts: 2 });
      expect(await shown()).toMatchObject({ is_active: true, failure_count: 4 });

      ahead = 5 * DAY_MS + HOUR_MS;
      expect(await ended('five days later')).toMatchObject({ status: 'failed', attempts: 1 });
      expect(await shown()).toMatchObject({ is_active: false, failure_count: 5 });
      const reason = 'Every delivery has failed for five days';
      expect(warn.mock.calls.map(([message]) => message as unknown)).toContainEqual(
        expect.objectContaining({ msg: 'destination disabled', kind: 'webhook', reason }),
      );
      expect(await query('SELECT disabled_reason FROM webhooks WHERE workspace_id = $1')).toEqual([
        { disabled_reason: reason },
      ]);

      await append('while it is off');
      const waiting = 'SELECT 1 FROM outbox_events WHERE workspace_id = $1 AND relayed_at IS NULL';
      await until(
        () => query(waiting),
        ({ length }) => length === 0,
      );
      await call('PATCH', `/webhooks/${webhook.id}`, { is_active: true });
      // A single further failure does not disable it, because its five days start again.
      expect(await ended('on again')).toMatchObject({ status: 'failed', attempts: 2 });
      receiver.answerWith({});
      expect(await ended('well again')).toMatchObject({ status: 'delivered' });
      expect(await shown()).toMatchObject({ is_active: true, failure_count: 0 });
      expect(receiver.all.length).toBe(8);
    } finally {
      warn.mockRestore();
      await worker.close();
    }
  });

  it('logs one line at info for each attempt', async () => {
    const log = jest.spyOn(Logger.prototype, 'log');
    const worker = await startWorker();
    await worker.init();
    try {
      receiver.answerWith((_sent, index) => (index === 0 ? { status: 503 } : {}));
      const webhook = await call('POST', '/webhooks', { url: receiver.url });
      await append('logged');
      const { id } = await newest(webhook.id, ({ status }) => status === 'delivered');
      const lines = log.mock.calls
        .map(([message]) => message as Record<string, unknown>)
        .filter(({ deliveryId }) => `dlv_${String(deliveryId)}` === id);
      const common = {
        workspaceId: workspace.workspaceId,
        destinationKind: 'webhook',
        destinationId: (webhook.id as string).replace('wh_', ''),
        eventType: 'job.completed',
        durationMs: expect.any(Number),
      };
      expect(lines).toEqual([
        expect.objectContaining({
          ...common,
          msg: 'delivery failed',
          status: 'pending',
          attempt: 1,
          responseCode: 503,
          error: 'The receiver answered 503',
        }),
        expect.objectContaining({
          ...common,
          msg: 'delivery succeeded',
          status: 'delivered',
          attempt: 2,
          responseCode: 200,
        }),
      ]);
    } finally {
      log.mockRestore();
      await worker.close();
    }
  });

  it('stops without losing deliveries in progress, and has no lease afterwards', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `event ${index}`);
    const answered = new Set<string>();
    receiver.answerWith((sent) => {
      answered.add(String(bodyOf(sent).data.name));
      return { delayMs: 100 };
    });
    const webhook = await call('POST', '/webhooks', { url: receiver.url });
    await append(...names);
    const worker = await startWorker();
    await worker.init();
    await receiver.received(20);
    await worker.close();

    const rows = await query(
      `SELECT data ->> 'name' AS name, status, lease_owner FROM deliveries
       JOIN outbox_events AS events ON events.workspace_id = deliveries.workspace_id AND events.id = event_id
       WHERE deliveries.workspace_id = $1`,
    );
    const delivered = rows.filter(({ status }) => status === 'delivered').map(({ name }) => name as string);
    expect(new Set(delivered)).toEqual(answered);
    expect(rows.filter(({ lease_owner }) => lease_owner !== null)).toEqual([]);
    // It must have been stopped in the middle, or the test would prove nothing.
    expect(delivered.length).toBeLessThan(names.length);

    const next = await startWorker();
    await next.init();
    try {
      await receiver.received(names.length);
      expect(answered).toEqual(new Set(names));
      // Each is sent exactly once: a recorded delivery is not sent again, a released one is.
      expect(receiver.all.length).toBe(names.length);
      await newest(webhook.id, ({ status }) => status === 'delivered');
    } finally {
      await next.close();
    }
  });

  it.each([
    ['seconds', () => '3600', 503],
    ['a date', () => new Date(Date.now() + HOUR_MS).toUTCString(), 429],
  ])(
    'waits as long as a Retry-After in %s requests, unless its owner opted out',
    async (_, retryAfter, status) => {
      const worker = await startWorker();
      await worker.init();
      try {
        receiver.answerWith({ status, headers: { 'retry-after': retryAfter() } });
        const webhook = await call('POST', '/webhooks', { url: receiver.url });
        await append('busy');
        const waiting = await newest(webhook.id, ({ attempts }) => attempts === 1);
        expect(waiting).toMatchObject({ status: 'pending', response_code: status });
        const { history } = await call('GET', `/webhooks/${webhook.id}/deliveries/${waiting.id}`);
        const waitMs = Date.parse(waiting.next_attempt_at) - Date.parse(history[0].attempted_at);
        // A date has whole seconds, and the jitter is at most a fifth.
        expect(waitMs).toBeGreaterThan(HOUR_MS - 2_000);
        expect(waitMs).toBeLessThan(1.2 * HOUR_MS + 60_000);

        receiver.answerWith({});
        await call('POST', `/webhooks/${webhook.id}/deliveries/${waiting.id}/redeliver`);
        const done = await newest(webhook.id, (delivery) => delivery.status !== 'pending');
        expect(done).toMatchObject({ id: waiting.id, status: 'delivered', attempts: 2 });
      } finally {
        await worker.close();
      }
    },
  );
});
