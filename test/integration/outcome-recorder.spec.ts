import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { ReportsRepository } from '../../src/alerts/reports/reports.repository.js';
import { AlertsRepository } from '../../src/alerts/alert/alerts.repository.js';
import { DestinationQueuesRepository } from '../../src/deliver/queue/destination-queues.repository.js';
import { DeliveryMetrics } from '../../src/deliver/sender/delivery-metrics.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { DeliveryClaimsRepository } from '../../src/deliver/queue/delivery-claims.repository.js';
import type { DeliveryDecision } from '../../src/deliver/queue/delivery-decision.js';
import { OutcomeRecorder } from '../../src/deliver/sender/outcome-recorder.js';
import { WebhooksRepository } from '../../src/deliver/webhooks/webhooks.repository.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { startTestApplication } from '../support/application.js';
import { addWebhooks } from '../support/webhooks.js';

const OWNER = newId();

const service = await startTestApplication({ ROLES: 'api' });
const dataSource = service.app.get(DataSource);

describe('OutcomeRecorder', () => {
  let workspaceId: string;
  let webhookId: string;
  let recorder: OutcomeRecorder;

  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
    await addWebhooks(service, workspaceId, 1, 'https://example.com/hook');
    [{ id: webhookId }] = await query<{ id: string }>('SELECT id FROM webhooks WHERE workspace_id = $1');
    await query(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, failures)
       SELECT workspace_id, 'webhook', id, 2 FROM webhooks WHERE workspace_id = $1`,
    );
    recorder = new OutcomeRecorder(
      new DeliveryClaimsRepository(dataSource),
      service.get(WebhooksRepository),
      service.get(AlertsRepository),
      service.get(ReportsRepository),
      service.app.get(TransactionRunner),
      new DeliveryMetrics(
        service.get(OutboxRepository),
        new DestinationQueuesRepository(service.app.get(DataSource)),
        service.app.get(InactiveWorkspaces),
        new MetricsRegistry(),
      ),
    );
  });

  const query = <T>(sql: string, ...parameters: unknown[]): Promise<[T, ...T[]]> =>
    dataSource.query(sql, [workspaceId, ...parameters]);
  /** A delivery leased by `owner`. */
  const leased = async (owner = OWNER): Promise<string> => {
    const [{ id }] = await query<{ id: string }>(
      `WITH event AS (
         INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data)
         VALUES ($1, gen_random_uuid(), 'job.completed', gen_random_uuid(), 'job', gen_random_uuid(), '{}') RETURNING *
       )
       INSERT INTO deliveries (workspace_id, id, event_id, event_type, destination_kind, destination_id,
         next_attempt_at, lease_owner, leased_until)
       SELECT $1, gen_random_uuid(), id, type, 'webhook', $2, now(), $3, now() + interval '1 minute' FROM event
       RETURNING id`,
      webhookId,
      owner,
    );
    return id;
  };
  const decision = (
    deliveryId: string,
    succeeded: boolean,
    extra: Partial<DeliveryDecision> = {},
  ): DeliveryDecision => ({
    destination: { workspaceId, kind: 'webhook', id: webhookId },
    deliveryId,
    status: succeeded ? 'delivered' : 'pending',
    retryInMs: succeeded ? null : 60_000,
    attempt: { at: new Date(), succeeded, responseCode: succeeded ? 200 : 500, durationMs: 3 },
    error: succeeded ? null : 'The receiver answered 500',
    disableReason: null,
    ...extra,
  });
  const rowOf = async (id: string) =>
    (
      await query<Record<string, unknown>>(
        `SELECT status, attempts, lease_owner, response_code, jsonb_array_length(history) AS entries
         FROM deliveries WHERE workspace_id = $1 AND id = $2`,
        id,
      )
    )[0];
  const failures = async (): Promise<unknown> => {
    const [row] = await query<Record<string, unknown>>(
      `SELECT failure_count AS webhook, failures AS queue, is_active AS active, disabled_reason AS reason
       FROM webhooks JOIN destination_queues USING (workspace_id) WHERE workspace_id = $1`,
    );
    return row;
  };

  it('records attempt, lease and failures of the destination in one transaction', async () => {
    const run = jest.spyOn(service.app.get(TransactionRunner), 'run');
    try {
      const [first, second] = [await leased(), await leased()];
      await Promise.all([
        recorder.record(OWNER, decision(first, false), true),
        recorder.record(OWNER, decision(second, false), true),
      ]);
      expect(run).toHaveBeenCalledTimes(1);
      expect(await rowOf(first)).toEqual({
        status: 'pending',
        attempts: 1,
        lease_owner: null,
        response_code: 500,
        entries: 1,
      });
      expect(await failures()).toMatchObject({ webhook: 2, queue: 4 });
    } finally {
      run.mockRestore();
    }
  });

  it('remembers the recipients that are left, until none is', async () => {
    const id = await leased();
    const remaining = async () =>
      (
        await query<{ remaining: unknown }>(
          'SELECT remaining FROM deliveries WHERE workspace_id = $1 AND id = $2',
          id,
        )
      )[0].remaining;
    await recorder.record(OWNER, decision(id, false, { remaining: ['a@example.org'] }), true);
    expect(await remaining()).toEqual(['a@example.org']);
    await query(`UPDATE deliveries SET lease_owner = $2 WHERE workspace_id = $1 AND id = $3`, OWNER, id);
    await recorder.record(OWNER, decision(id, false), true);
    expect(await remaining()).toEqual(['a@example.org']);
    await recorder.record(OWNER, decision(id, true), true);
    expect(await remaining()).toBeNull();
  });

  it('stores what the log of a delivery shows', async () => {
    const [retried, delivered, unsent] = [await leased(), await leased(), await leased()];
    const reason = { status: 'undeliverable' as const, attempt: null, retryInMs: null, error: 'It is gone' };
    await Promise.all([
      recorder.record(OWNER, decision(retried, false), true),
      recorder.record(OWNER, decision(delivered, true), true),
      recorder.record(OWNER, decision(unsent, false, reason), true),
    ]);
    const logged = await query<Record<string, unknown>>(
      `SELECT id, status, attempts, schedule_position AS position, duration_ms AS duration, error,
         leased_until IS NULL AS released, completed_at IS NOT NULL AS completed,
         round(extract(epoch FROM next_attempt_at - now()) / 60)::int AS minutes,
         history -> 0 ->> 'error' AS reason, history -> 0 ->> 'succeeded' AS succeeded
       FROM deliveries WHERE workspace_id = $1`,
    );
    const rows = new Map(logged.map(({ id, ...row }) => [id, row]));
    const error = 'The receiver answered 500';
    const attempted = { attempts: 1, position: 1, duration: 3, released: true };
    expect([rows.get(retried), rows.get(delivered), rows.get(unsent)]).toEqual([
      {
        ...attempted,
        status: 'pending',
        error,
        completed: false,
        minutes: 1,
        reason: error,
        succeeded: 'false',
      },
      {
        ...attempted,
        status: 'delivered',
        error: null,
        completed: true,
        minutes: null,
        reason: null,
        succeeded: 'true',
      },
      {
        status: 'undeliverable',
        attempts: 0,
        position: 0,
        duration: null,
        error: 'It is gone',
        released: true,
        completed: true,
        minutes: null,
        reason: null,
        succeeded: null,
      },
    ]);
  });

  it('locks deliveries in the order of their ids', async () => {
    const [low, high] = [await leased(), await leased()].sort() as [string, string];
    const records = await dataSource.transaction(async (tx) => {
      const lock = (id: string) => tx.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE NOWAIT', [id]);
      await lock(low);
      const begun = [high, low].map((id) => recorder.record(OWNER, decision(id, true), false));
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await dataSource.query<unknown[]>(waiting)).length === 0);
      await lock(high);
      return begun;
    });
    await Promise.all(records);
  });

  it('counts no failure of another destination of the workspace', async () => {
    const [other] = await query<{ id: string }>(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, failures)
       VALUES ($1, 'webhook', gen_random_uuid(), 2) RETURNING destination_id AS id`,
    );
    await recorder.record(OWNER, decision(await leased(), false), true);
    const queues = await query(
      'SELECT destination_id AS id, failures FROM destination_queues WHERE workspace_id = $1 ORDER BY 2',
    );
    expect(queues).toEqual([
      { id: other.id, failures: 2 },
      { id: webhookId, failures: 3 },
    ]);
  });

  it('resets the failures of a destination after a success, and counts later ones', async () => {
    const [success, failure] = [await leased(), await leased()];
    const succeeded = recorder.record(OWNER, decision(success, true), true);
    const failed = recorder.record(OWNER, decision(failure, false), true);
    await Promise.all([succeeded, failed]);
    expect(await failures()).toMatchObject({ webhook: 1, queue: 1 });
    expect(await rowOf(success)).toMatchObject({ status: 'delivered', lease_owner: null });
  });

  it('ignores a late failure of a former lease owner, but records its late success', async () => {
    const [failure, success] = [await leased(newId()), await leased(newId())];
    await Promise.all([
      recorder.record(OWNER, decision(failure, false, { status: 'failed', retryInMs: null }), false),
      recorder.record(OWNER, decision(success, true), false),
    ]);
    expect(await rowOf(failure)).toMatchObject({ status: 'pending', attempts: 0 });
    expect(await rowOf(success)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('records a delivery once that two owners have sent', async () => {
    const id = await leased();
    await recorder.record(OWNER, decision(id, true), false);
    const before = await rowOf(id);
    await recorder.record(newId(), decision(id, true), false);
    expect(await rowOf(id)).toEqual(before);
    expect(before).toMatchObject({ status: 'delivered', attempts: 1, entries: 1 });
  });

  it('keeps the time of the first of several failures, until one succeeds', async () => {
    const failedAt = (minute: number) => {
      const at = new Date(Date.UTC(2026, 2, 1, 12, minute));
      return { at, succeeded: false, responseCode: 500, durationMs: 3 };
    };
    const failingSince = async () => {
      const [row] = await query<{ failing_since: Date | null }>(
        'SELECT failing_since FROM webhooks WHERE workspace_id = $1',
      );
      return row.failing_since?.getUTCMinutes() ?? null;
    };
    for (const minute of [10, 20]) {
      await recorder.record(OWNER, decision(await leased(), false, { attempt: failedAt(minute) }), true);
      expect(await failingSince()).toBe(10);
    }
    await recorder.record(OWNER, decision(await leased(), true), true);
    expect(await failingSince()).toBeNull();
    await recorder.record(OWNER, decision(await leased(), false, { attempt: failedAt(30) }), true);
    expect(await failingSince()).toBe(30);
  });

  it('makes the queue due at the retry, unless it is due earlier', async () => {
    const dueInSeconds = async () => {
      const [row] = await query<{ seconds: number }>(
        `SELECT round(extract(epoch FROM due_at - now()) / 30)::int * 30 AS seconds FROM destination_queues
         WHERE workspace_id = $1`,
      );
      return row.seconds;
    };
    await recorder.record(OWNER, decision(await leased(), false), true);
    expect(await dueInSeconds()).toBe(60);
    await recorder.record(OWNER, decision(await leased(), false, { retryInMs: 3_600_000 }), true);
    expect(await dueInSeconds()).toBe(60);
  });

  it('keeps the newest hundred attempts of a delivery, in their order', async () => {
    const id = await leased();
    await query(
      `UPDATE deliveries SET attempts = 100,
         history = (SELECT jsonb_agg(jsonb_build_object('responseCode', n) ORDER BY n) FROM generate_series(1, 100) AS n)
       WHERE workspace_id = $1`,
    );
    await recorder.record(OWNER, decision(id, false), false);
    expect(await rowOf(id)).toMatchObject({ attempts: 101, entries: 100 });
    const [{ ends }] = await query<{ ends: unknown }>(
      `SELECT ARRAY[history -> 0 ->> 'responseCode', history -> 99 ->> 'responseCode'] AS ends FROM deliveries
       WHERE workspace_id = $1`,
    );
    expect(ends).toEqual(['2', '500']);
  });

  it('keeps the start of the failures of a channel until it succeeds', async () => {
    const id = newId();
    await query(
      `INSERT INTO alerts (workspace_id, id, name, keywords, forums, channel, sealed_channel_config)
       VALUES ($1, $2, 'Test', '{rust}', '{}', 'email', 'v1.x')`,
      id,
    );
    const destination = { workspaceId, kind: 'alert' as const, id };
    const since: (number | null)[] = [];
    for (const [minute, succeeded] of [
      [10, false],
      [20, false],
      [30, true],
      [40, false],
    ] as const) {
      const at = new Date(Date.UTC(2026, 2, 1, 12, minute));
      const attempt = { at, succeeded, responseCode: null, durationMs: 3 };
      await recorder.record(OWNER, decision(await leased(), succeeded, { destination, attempt }), true);
      const [row] = await query<{ since: Date | null }>(
        'SELECT channel_failing_since AS since FROM alerts WHERE workspace_id = $1',
      );
      since.push(row.since?.getUTCMinutes() ?? null);
    }
    expect(since).toEqual([10, 10, null, 40]);
  });

  it('shows the time of the latest attempt, whichever was recorded last', async () => {
    for (const minute of [20, 10]) {
      const at = new Date(Date.UTC(2026, 2, 1, 12, minute));
      const attempt = { at, succeeded: true, responseCode: 200, durationMs: 3 };
      await recorder.record(OWNER, decision(await leased(), true, { attempt }), false);
    }
    const [{ last }] = await query<{ last: Date }>(
      'SELECT last_triggered_at AS last FROM webhooks WHERE workspace_id = $1',
    );
    expect(last.getUTCMinutes()).toBe(20);
  });

  it('releases only the leases of their owner', async () => {
    const [own, other] = [await leased(), await leased(newId())];
    const deliveries = [own, other].map((deliveryId) => decision(deliveryId, true));
    await new DeliveryClaimsRepository(dataSource).release(OWNER, deliveries);
    expect(await rowOf(own)).toMatchObject({ status: 'pending', lease_owner: null, attempts: 0 });
    expect((await rowOf(other))?.lease_owner).not.toBeNull();
  });

  it('disables a destination once, with the reason', async () => {
    const disableReason = 'The receiver responded with 410 Gone';
    const gone = { status: 'failed' as const, retryInMs: null, disableReason };
    await recorder.record(OWNER, decision(await leased(), false, gone), false);
    expect(await failures()).toMatchObject({ active: false, reason: disableReason });
    await recorder.record(OWNER, decision(await leased(), false, { ...gone, disableReason: 'again' }), false);
    expect(await failures()).toMatchObject({ active: false, reason: disableReason });
  });

  it('rejects every decision of a batch that could not be written', async () => {
    const [first, second] = [await leased(), await leased()];
    const broken = decision(second, true, { status: 'unheard of' as 'delivered' });
    const results = await Promise.allSettled([
      recorder.record(OWNER, decision(first, true), false),
      recorder.record(OWNER, broken, false),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await rowOf(first)).toMatchObject({ status: 'pending', attempts: 0 });
    await recorder.record(OWNER, decision(first, true), false);
    expect(await rowOf(first)).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});
