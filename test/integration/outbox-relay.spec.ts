import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { DeliveriesRepository } from '../../src/deliver/queue/deliveries.repository.js';
import { OutboxRelay } from '../../src/deliver/relay/outbox-relay.js';
import { SenderWakeUp } from '../../src/deliver/queue/sender-wake-up.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { MetricsRegistry } from '../../src/infrastructure/metrics/metrics-registry.js';
import { SubscriptionsRepository } from '../../src/deliver/subscriptions/subscriptions.repository.js';
import { WebhooksRepository } from '../../src/deliver/webhooks/webhooks.repository.js';
import { startTestApplication } from '../support/application.js';
import { addWebhooks } from '../support/webhooks.js';
import { until } from '../support/until.js';

interface Fanned {
  deliveries: number;
  webhooks: number;
  transactions: number;
  largest: number;
}

const service = await startTestApplication({ ROLES: 'api' });
const dataSource = service.app.get(DataSource);

describe('OutboxRelay', () => {
  let relays: OutboxRelay[];
  let metrics: MetricsRegistry;

  beforeEach(() => {
    relays = [];
    metrics = new MetricsRegistry();
  });
  afterEach(() => Promise.all(relays.map((relay) => relay.beforeApplicationShutdown())));

  const get = <T>(type: abstract new (...args: never[]) => T): T =>
    service.app.get<T>(type, { strict: false });
  /** Starts a relay but no sender, so that deliveries stay as they were added. */
  const startRelay = (registry = metrics): void => {
    const relay = new OutboxRelay(
      get(OutboxRepository),
      get(WebhooksRepository),
      get(SubscriptionsRepository),
      get(DeliveriesRepository),
      get(SenderWakeUp),
      get(TransactionRunner),
      registry,
    );
    relays.push(relay);
    relay.onApplicationBootstrap();
  };
  const append = (workspaceId: string, ...names: string[]): Promise<void> =>
    get(TransactionRunner).run(async (tx) => {
      for (const name of names)
        await get(OutboxRepository).append(
          workspaceId,
          { type: 'job.completed', uniqueKey: name, subjectId: newId(), data: { name } },
          tx,
        );
    });
  const workspaceWith = async (webhooks: number): Promise<string> => {
    const { workspaceId } = await service.createWorkspace();
    await addWebhooks(service, workspaceId, webhooks, 'https://example.com/hook');
    return workspaceId;
  };
  const query = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> => dataSource.query(sql, parameters);
  /** Resolves once no event of the workspace is waiting, except the named ones. */
  const relayed = async (workspaceId: string, except: string[] = []): Promise<void> => {
    const waiting = `SELECT 1 FROM outbox_events
      WHERE workspace_id = $1 AND relayed_at IS NULL AND unique_key <> ALL ($2)`;
    await until(
      () => query(waiting, workspaceId, except),
      ({ length }) => length === 0,
    );
  };
  /** Deliveries by the transaction that added them, identified by its time in `next_attempt_at`. */
  const fanned = async (workspaceId: string): Promise<Fanned> => {
    const [found] = await query<Fanned>(
      `SELECT coalesce(sum(count), 0)::int AS deliveries, max(webhooks)::int AS webhooks, count(*)::int AS transactions,
         max(count)::int AS largest
       FROM (
         SELECT count(*) AS count,
           (SELECT count(DISTINCT destination_id) FROM deliveries WHERE workspace_id = $1) AS webhooks
         FROM deliveries WHERE workspace_id = $1 GROUP BY next_attempt_at
       ) AS transactions`,
      workspaceId,
    );
    return found!;
  };
  /** Makes the insertion of deliveries fail while `condition` is true. */
  const breakInsertion = async (level: 'ROW' | 'STATEMENT', condition: string): Promise<void> => {
    await query(
      `CREATE OR REPLACE FUNCTION break_insertion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF ${condition} THEN RAISE EXCEPTION 'insertion broken by the test'; END IF;
         RETURN NULL;
       END $$`,
    );
    await query(
      `CREATE TRIGGER break_insertion AFTER INSERT ON deliveries
         ${level === 'STATEMENT' ? 'REFERENCING NEW TABLE AS added' : ''}
         FOR EACH ${level} EXECUTE FUNCTION break_insertion()`,
    );
  };
  const mendInsertion = () => query('DROP TRIGGER break_insertion ON deliveries');

  it('fans an event out to 3,000 webhooks over several transactions, each webhook once', async () => {
    const workspaceId = await workspaceWith(3_000);
    await append(workspaceId, 'one');
    startRelay();
    startRelay(new MetricsRegistry());
    await relayed(workspaceId);
    const { deliveries, webhooks, transactions, largest } = await fanned(workspaceId);
    expect({ deliveries, webhooks }).toEqual({ deliveries: 3_000, webhooks: 3_000 });
    expect(transactions).toBeGreaterThanOrEqual(3);
    expect(largest).toBeLessThanOrEqual(1_000);
    const due = await query(
      'SELECT 1 FROM destination_queues WHERE workspace_id = $1 AND due_at <= now()',
      workspaceId,
    );
    expect(due).toHaveLength(3_000);
  });

  it('shrinks its transactions until they succeed', async () => {
    const workspaceId = await workspaceWith(300);
    await append(workspaceId, 'one', 'two');
    await breakInsertion('STATEMENT', '(SELECT count(*) FROM added) > 100');
    try {
      startRelay();
      await relayed(workspaceId);
    } finally {
      await mendInsertion();
    }
    const { deliveries, largest } = await fanned(workspaceId);
    expect(deliveries).toBe(600);
    expect(largest).toBeLessThanOrEqual(100);
  });

  it('sets aside an event that always fails, reports it, and relays all others', async () => {
    const error = jest.spyOn(Logger.prototype, 'error');
    const [poisoned, other] = [await workspaceWith(1), await workspaceWith(1)];
    await append(poisoned, 'before', 'poison', 'after');
    await append(other, 'other');
    const [{ id }] = (await query<{ id: string }>(
      `SELECT id FROM outbox_events WHERE workspace_id = $1 AND unique_key = 'poison'`,
      poisoned,
    )) as [{ id: string }];
    await breakInsertion('ROW', `NEW.event_id = '${id}'`);
    try {
      startRelay();
      await relayed(other);
      await relayed(poisoned, ['poison']);
      const setAside = await until(
        async () => {
          // Skips the waits between attempts.
          await query('UPDATE outbox_events SET relay_not_before = NULL WHERE id = $1', id);
          return query(
            'SELECT relay_failures FROM outbox_events WHERE id = $1 AND set_aside_at IS NOT NULL',
            id,
          );
        },
        ({ length }) => length > 0,
      );
      expect(setAside).toEqual([{ relay_failures: 8 }]);
      // The row is set aside before that is counted and reported.
      await until(
        () => error.mock.calls,
        (calls) => calls.some(([, message]) => message === 'event set aside'),
      );
      expect(error.mock.calls).toContainEqual([
        expect.objectContaining({ workspaceId: poisoned, eventId: id, eventType: 'job.completed' }),
        'event set aside',
      ]);
      expect(await metrics.registry.metrics()).toContain('wss_outbox_events_set_aside_total 1');
    } finally {
      error.mockRestore();
      await mendInsertion();
    }
    // It is not tried again, and later events are relayed.
    await append(poisoned, 'later');
    await relayed(poisoned, ['poison']);
    const statuses = await query<{ unique_key: string; deliveries: number }>(
      `SELECT unique_key, (SELECT count(*)::int FROM deliveries WHERE event_id = outbox_events.id) AS deliveries
       FROM outbox_events WHERE workspace_id = $1 ORDER BY unique_key`,
      poisoned,
    );
    expect(statuses).toEqual([
      { unique_key: 'after', deliveries: 1 },
      { unique_key: 'before', deliveries: 1 },
      { unique_key: 'later', deliveries: 1 },
      { unique_key: 'poison', deliveries: 0 },
    ]);
  });

  it('takes turns by workspace', async () => {
    const [busy, quiet] = [await workspaceWith(1_000), await workspaceWith(1)];
    await append(busy, ...Array.from({ length: 20 }, (_, index) => `backlog ${index}`));
    await append(quiet, 'other');
    startRelay();
    await relayed(quiet);
    const { deliveries } = await fanned(busy);
    expect(deliveries).toBeLessThanOrEqual(3_000);
  });

  it('reaches every workspace, however many have events that wait for an attempt', async () => {
    const first = Array.from(
      { length: 130 },
      (_, number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    );
    await query(`INSERT INTO workspaces (id, name) SELECT unnest($1::uuid[]), 'Waiting'`, first);
    await query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relay_not_before)
       SELECT unnest($1::uuid[]), gen_random_uuid(), 'job.failed', 'waiting', 'job', gen_random_uuid(), '{}', now() + interval '1 hour'`,
      first,
    );
    const last = await workspaceWith(1);
    await append(last, 'one');
    startRelay();
    await relayed(last);
    expect((await fanned(last)).deliveries).toBe(1);
  });
});
