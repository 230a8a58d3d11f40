import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import type { EventType } from '../../src/messages/outbox/event-types.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { HttpReceiver } from '../support/receivers.js';
import { digestWorkspace } from '../support/rows.js';
import { bodyOf, verified } from '../support/webhook-reading.js';
import { until } from '../support/until.js';

const SECRET = 'a shared secret of 24 bytes and more';
const HOUR_MS = 3_600_000;

interface DeliveryRow {
  id: string;
  status: string;
  attempts: number;
  lease_owner: string | null;
  schedule_position: number;
  error: string | null;
}

/** A point that holds work back until it is opened. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('deliveries', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let receiver: HttpReceiver;
  let dataSource: DataSource;

  beforeAll(async () => {
    service = await startTestApplication({
      ROLES: 'api,worker',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '20ms,20ms',
      WEBHOOK_TIMEOUT_MS: '5000',
    });
    dataSource = service.app.get(DataSource);
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace();
    receiver = await HttpReceiver.start();
  });
  afterEach(() => receiver.close());

  const addWebhook = async (event: EventType = 'job.completed'): Promise<string> => {
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/webhooks', {
      url: `${receiver.url}/${event}`,
      secret: SECRET,
      events: [event],
    });
    return id;
  };
  /** Appends an event that happened `ageMs` ago. */
  const append = (
    name: string,
    { type = 'job.completed', ageMs = 0 }: { type?: EventType; ageMs?: number } = {},
  ): Promise<void> =>
    service.app.get(TransactionRunner).run(async (tx) => {
      await service
        .get(OutboxRepository)
        .append(workspace.workspaceId, { type, uniqueKey: name, subjectId: newId(), data: { name } }, tx);
      await tx.query(
        `UPDATE outbox_events SET created_at = created_at - $2 * interval '1 millisecond' WHERE workspace_id = $1`,
        [workspace.workspaceId, ageMs],
      );
    });
  const rows = (): Promise<DeliveryRow[]> =>
    dataSource.query<DeliveryRow[]>(
      `SELECT id, status, attempts, lease_owner, schedule_position, error FROM deliveries
       WHERE workspace_id = $1 ORDER BY created_at, id`,
      [workspace.workspaceId],
    );
  const rowsWhen = (wanted: (rows: DeliveryRow[]) => boolean): Promise<DeliveryRow[]> => until(rows, wanted);
  const digestDeliveries = async () => (await digestWorkspace(dataSource, workspace.workspaceId)).deliveries;
  const redeliver = (webhook: string, delivery: string) =>
    call(service, workspace, 'POST', `/webhooks/${webhook}/deliveries/${delivery}/redeliver`);

  it("have the attempt's time in the signature and the event's in the body", async () => {
    await addWebhook();
    receiver.answerWith((_request, index) => (index === 0 ? { status: 500 } : {}));
    const before = Math.floor(Date.now() / 1_000);
    await append('an hour old', { ageMs: HOUR_MS });
    const sent = await receiver.received(2);
    const after = Math.ceil(Date.now() / 1_000);
    for (const one of sent) {
      const at = Number(one.headers['webhook-timestamp']);
      expect(at).toBeGreaterThanOrEqual(before);
      expect(at).toBeLessThanOrEqual(after);
      // The verifier also refuses a time that is off by more than five minutes.
      expect(verified(one, SECRET)).toEqual(bodyOf(one));
      expect(Date.parse(bodyOf(one).timestamp)).toBeLessThanOrEqual(after * 1_000 - HOUR_MS);
      expect(() =>
        verified({ ...one, headers: { ...one.headers, 'webhook-timestamp': String(at + 1) } }, SECRET),
      ).toThrow();
    }
  });

  it('restart their schedule with every redelivery', async () => {
    receiver.answerWith({ status: 500 });
    const webhook = await addWebhook();
    await append('never received');
    for (const attempts of [3, 6, 9]) {
      const [delivery] = await rowsWhen(([one]) => one?.status === 'failed' && one.attempts >= attempts);
      expect(delivery).toMatchObject({ attempts, schedule_position: 3 });
      if (attempts < 9) await redeliver(webhook, delivery!.id);
    }
    expect(receiver.all).toHaveLength(9);
  });

  it('are not sent twice in parallel', async () => {
    const { opened, open } = gate();
    receiver.answerWith({ after: opened });
    const webhook = await addWebhook();
    await append('slowly received');
    await receiver.received(1);
    const [{ id }] = (await rowsWhen(([one]) => one?.lease_owner != null)) as [DeliveryRow];
    const before = await digestDeliveries();
    await redeliver(webhook, id);
    expect(await digestDeliveries()).toBe(before);
    open();
    const ended = await rowsWhen(([one]) => one?.status !== 'pending');
    expect(ended).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(receiver.all).toHaveLength(1);
  });

  it.each([
    ['a failure that a former owner reports late changes nothing', 500, { status: 'pending', attempts: 0 }],
    ['a success that a former owner reports late counts', 200, { status: 'delivered', attempts: 1 }],
  ])('%s', async (_, status, expected) => {
    const { opened, open } = gate();
    receiver.answerWith(({ path }) => (path === '/job.completed' ? { status, after: opened } : {}));
    await addWebhook();
    await addWebhook('job.failed');
    await append('sent by a former owner');
    await receiver.received(1);
    const other = randomUUID();
    await dataSource.query(
      `UPDATE deliveries SET lease_owner = $2, leased_until = now() + interval '1 hour' WHERE workspace_id = $1`,
      [workspace.workspaceId, other],
    );
    open();
    // Outcomes are written in the order of the responses, so the late one is written once a later one is.
    await append('after it', { type: 'job.failed' });
    const [late] = await rowsWhen(([, later]) => later?.status === 'delivered');
    expect(late).toMatchObject({ ...expected, lease_owner: status === 500 ? other : null });
  });

  it('that are waiting when their webhook is switched off are not sent, and say why', async () => {
    const { opened, open } = gate();
    receiver.answerWith({ status: 500, after: opened });
    const webhook = await addWebhook();
    await append('to be tried again');
    await receiver.received(1);
    await call(service, workspace, 'PATCH', `/webhooks/${webhook}`, { is_active: false });
    await append('while it is off');
    open();
    const [again] = await rowsWhen(([one]) => one !== undefined && one.status !== 'pending');
    expect(again).toMatchObject({
      status: 'undeliverable',
      attempts: 1,
      error: expect.stringMatching(/inactive|disabled/),
    });
    const waiting = () =>
      dataSource.query<unknown[]>(
        'SELECT 1 FROM outbox_events WHERE workspace_id = $1 AND relayed_at IS NULL',
        [workspace.workspaceId],
      );
    await until(waiting, ({ length }) => length === 0);
    expect(await rows()).toHaveLength(1);
    expect(receiver.all).toHaveLength(1);
  });

  it('that wait when the channel of their alert is disabled are not sent', async () => {
    const { opened, open } = gate();
    receiver.answerWith({ status: 500, after: opened });
    const alert = await call<{ id: string }>(service, workspace, 'POST', '/alerts', {
      name: 'Test',
      keywords: ['rust'],
      channel: 'webhook',
      channel_config: { webhook_url: receiver.url },
    });
    const subjectId = alert.id.slice(alert.id.indexOf('_') + 1);
    await service.app.get(TransactionRunner).run((tx) =>
      service.get(OutboxRepository).append(
        workspace.workspaceId,
        {
          type: 'alert.triggered',
          uniqueKey: 'one',
          subjectId,
          data: {
            id: alert.id,
            name: 'Test',
            matched_posts: [],
            matched_posts_total: 0,
            comments: [],
            matched_comments_total: 0,
          },
        },
        tx,
      ),
    );
    await receiver.received(1);
    await dataSource.query(
      `UPDATE alerts SET channel_disabled_reason = 'The receiver responded with 410 Gone' WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    open();
    const [again] = await rowsWhen(([one]) => one !== undefined && one.status !== 'pending');
    expect(again).toMatchObject({
      status: 'undeliverable',
      attempts: 1,
      error: expect.stringMatching(/410/),
    });
    expect(receiver.all).toHaveLength(1);
  });
});
