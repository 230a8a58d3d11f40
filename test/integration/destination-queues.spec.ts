import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { DeliveriesRepository } from '../../src/deliver/queue/deliveries.repository.js';
import { DestinationQueuesRepository } from '../../src/deliver/queue/destination-queues.repository.js';
import {
  DeliveryClaimsRepository,
  type QueueFilter,
} from '../../src/deliver/queue/delivery-claims.repository.js';
import { CIRCUIT_OPEN_AFTER } from '../../src/deliver/queue/send-limits.js';
import { startTestApplication } from '../support/application.js';
import { addWebhooks } from '../support/webhooks.js';

/** Senders. */
const [ONE, TWO] = [randomUUID(), randomUUID()] as const;

const service = await startTestApplication({ ROLES: 'api' });
const dataSource = service.app.get(DataSource);
const deliveries = service.get(DeliveriesRepository);

describe('the queues of destinations', () => {
  let workspaceId: string;
  let webhookIds: string[];

  beforeEach(async () => {
    await dataSource.query('DELETE FROM destination_queues');
    ({ workspaceId } = await service.createWorkspace());
    await addWebhooks(service, workspaceId, 4, 'https://example.com/hook');
    const rows = await dataSource.query<{ id: string }[]>(
      'SELECT id FROM webhooks WHERE workspace_id = $1 ORDER BY id',
      [workspaceId],
    );
    webhookIds = rows.map(({ id }) => id);
  });

  /** A queue that has been due for `minutes`. */
  const addQueue = (id: string, minutes: number, failures: number) =>
    dataSource.query(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, due_at, failures)
       VALUES ($1, 'webhook', $2, now() - $3 * interval '1 minute', $4)`,
      [workspaceId, id, minutes, failures],
    );

  const claimable = async (except: Partial<QueueFilter>): Promise<string[]> => {
    const none = { exceptDestinations: [], exceptWorkspaces: [], exceptProbesOf: [] };
    const due = await dataSource.transaction((tx) =>
      new DeliveryClaimsRepository(dataSource).lockDueQueues({ limit: 9, ...none, ...except }, tx),
    );
    return due.map(({ id }) => id);
  };

  it('can be excluded from a claim by destination or workspace', async () => {
    const [failing, working] = webhookIds as [string, string];
    await addQueue(failing, 2, CIRCUIT_OPEN_AFTER);
    await addQueue(working, 1, CIRCUIT_OPEN_AFTER - 1);
    const claims = [
      await claimable({}),
      await claimable({ exceptDestinations: [failing] }),
      await claimable({ exceptProbesOf: [workspaceId] }),
      await claimable({ exceptWorkspaces: [workspaceId] }),
    ];
    expect(claims).toEqual([[failing, working], [working], [working], []]);
  });

  it('of open circuits are counted, and listed by most failures first', async () => {
    const [closed, open, worse] = webhookIds as [string, string, string];
    await addQueue(closed, 1, CIRCUIT_OPEN_AFTER - 1);
    await addQueue(open, 1, CIRCUIT_OPEN_AFTER);
    await addQueue(worse, 1, CIRCUIT_OPEN_AFTER + 1);
    const queues = new DestinationQueuesRepository(dataSource);
    const listed = await queues.openCircuits(9);
    expect([await queues.countOpenCircuits(), listed.map(({ id }) => id)]).toEqual([2, [worse, open]]);
  });

  it('take turns by workspace, the one that has been due longest first', async () => {
    const [first, second, third] = webhookIds as [string, string, string];
    await addQueue(first, 9, 0);
    await addQueue(second, 8, 0);
    await addQueue(third, 7, 0);
    const busy = workspaceId;
    ({ workspaceId } = await service.createWorkspace());
    const other = randomUUID();
    await addQueue(other, 1, 0);
    expect(await claimable({ limit: 3 })).toEqual([first, other, second]);
    expect(await claimable({ exceptWorkspaces: [busy] })).toEqual([other]);
  });

  it('that are not due yet are not claimed', async () => {
    await addQueue(webhookIds[0]!, -1, 0);
    expect(await claimable({})).toEqual([]);
  });

  it('of open circuits do not use up turns of other destinations of their workspace', async () => {
    const [first, second, third, working] = webhookIds as [string, string, string, string];
    await addQueue(first, 9, CIRCUIT_OPEN_AFTER);
    await addQueue(second, 8, CIRCUIT_OPEN_AFTER);
    await addQueue(third, 7, CIRCUIT_OPEN_AFTER);
    await addQueue(working, 1, 0);
    const filter = { limit: 2, exceptDestinations: [], exceptWorkspaces: [], exceptProbesOf: [] };
    const due = await dataSource.transaction((tx) =>
      new DeliveryClaimsRepository(dataSource).lockDueQueues(filter, tx),
    );
    expect(due.map(({ id }) => id)).toEqual([first, working]);
  });

  /** Deliveries that are due, leased for a minute by `owner` if given. */
  const addDeliveries = (id: string, count: number, owner: string | null = null) =>
    dataSource.query<{ id: string }[]>(
      `WITH event AS (
         INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data)
         SELECT $1, gen_random_uuid(), 'job.completed', gen_random_uuid(), 'job', gen_random_uuid(), '{}' FROM generate_series(1, $3::int) RETURNING *
       )
       INSERT INTO deliveries (workspace_id, id, event_id, event_type, destination_kind, destination_id, next_attempt_at,
         lease_owner, leased_until)
       SELECT $1, gen_random_uuid(), id, type, 'webhook', $2, now(), $4::uuid,
         CASE WHEN $4::uuid IS NOT NULL THEN now() + interval '1 minute' END
       FROM event RETURNING id`,
      [workspaceId, id, count, owner],
    );
  const stateOf = async (id: string) =>
    (
      await dataSource.query<object[]>(
        `SELECT lease_owner, due_at <= now() AS "isDue" FROM deliveries
         JOIN destination_queues USING (workspace_id, destination_kind, destination_id) WHERE destination_id = $1`,
        [id],
      )
    )[0];

  it('of open circuits are due again after the interval of a probe', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, 1, CIRCUIT_OPEN_AFTER);
    await addDeliveries(id, 2);
    const queue = { workspaceId, kind: 'webhook', id, failures: CIRCUIT_OPEN_AFTER } as const;
    const [claim] = await dataSource.transaction((tx) =>
      new DeliveryClaimsRepository(dataSource).lease(ONE, 1, [{ queue, count: 1, pauseMs: 3_600_000 }], tx),
    );
    const [paused] = await dataSource.query<object[]>(
      `SELECT due_at > now() + interval '30 minutes' AS "isPaused" FROM destination_queues WHERE destination_id = $1`,
      [id],
    );
    expect([claim!.deliveries.length, paused]).toEqual([1, { isPaused: true }]);
  });

  /** Claims deliveries of a due queue for a minute. */
  const lease = async (id: string, count: number) => {
    const queue = { workspaceId, kind: 'webhook', id, failures: 0 } as const;
    const [claim] = await dataSource.transaction((tx) =>
      new DeliveryClaimsRepository(dataSource).lease(ONE, 60_000, [{ queue, count, pauseMs: 0 }], tx),
    );
    return { ids: claim!.deliveries.map(({ deliveryId }) => deliveryId), isTruncated: claim!.isTruncated };
  };
  /** Whole minutes until the queue is due, null while nothing is pending; and whether it counts as idle. */
  const queueOf = async (id: string) =>
    (
      await dataSource.query<object[]>(
        `SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes, idle_since IS NOT NULL AS idle
         FROM destination_queues WHERE destination_id = $1`,
        [id],
      )
    )[0];

  it('are due again when the leases of claimed deliveries end', async () => {
    const [claimed, held] = webhookIds as [string, string];
    await addQueue(claimed, 1, 0);
    await addDeliveries(claimed, 1);
    expect((await lease(claimed, 9)).ids).toHaveLength(1);
    expect(await queueOf(claimed)).toEqual({ minutes: 1, idle: false });
    await addQueue(held, 1, 0);
    await addDeliveries(held, 1, TWO);
    expect((await lease(held, 9)).ids).toEqual([]);
    expect(await queueOf(held)).toEqual({ minutes: 1, idle: false });
  });

  it('become idle with the claim that finds nothing pending', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, 1, 0);
    await lease(id, 9);
    expect(await queueOf(id)).toEqual({ minutes: null, idle: true });
  });

  it('return the deliveries that have been due longest, and whether more may be due', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, 1, 0);
    const [first, second, third] = await addDeliveries(id, 3);
    await dataSource.query(
      `UPDATE deliveries SET next_attempt_at = now() - interval '1 minute' * array_position($2, id)
       WHERE workspace_id = $1`,
      [workspaceId, [first!.id, second!.id, third!.id]],
    );
    expect(await lease(id, 1)).toEqual({ ids: [third!.id], isTruncated: true });
    expect(await lease(id, 3)).toEqual({
      ids: expect.arrayContaining([first!.id, second!.id]),
      isTruncated: false,
    });
  });

  it('are claimed without deliveries that ended, wait or are being sent', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, 1, 0);
    const [due, waiting] = await addDeliveries(id, 2);
    await addDeliveries(id, 1, TWO);
    await dataSource.query(
      `UPDATE deliveries SET next_attempt_at = now() + interval '30 minutes' WHERE id = $1`,
      [waiting!.id],
    );
    expect((await lease(id, 9)).ids).toEqual([due!.id]);
    expect(await queueOf(id)).toEqual({ minutes: 1, idle: false });
  });

  it('list their deliveries newest first, then by id, and by status', async () => {
    const [id, other] = webhookIds as [string, string];
    const made = await addDeliveries(id, 4);
    await addDeliveries(other, 1);
    const ids = made.map((one) => one.id).sort();
    const [oldest] = ids as [string];
    await dataSource.query('UPDATE deliveries SET created_at = now() WHERE destination_id = $1', [id]);
    await dataSource.query(
      `UPDATE deliveries SET created_at = now() - interval '1 minute', status = 'failed', next_attempt_at = NULL
       WHERE id = $1`,
      [oldest],
    );
    const list = async (filter: { status?: 'failed' }, page = { limit: 9, offset: 0 }) => {
      const [rows, total] = await deliveries.list({ workspaceId, kind: 'webhook', id }, filter, page);
      return [rows.map((one) => one.id), total];
    };
    const newestFirst = [...ids].reverse();
    expect(await list({})).toEqual([newestFirst, 4]);
    expect(await list({}, { limit: 2, offset: 1 })).toEqual([newestFirst.slice(1, 3), 4]);
    expect(await list({ status: 'failed' })).toEqual([[oldest], 1]);
    for (const destination of [
      { workspaceId, kind: 'alert' as const, id },
      { workspaceId, kind: 'webhook' as const, id: other },
    ])
      expect(await deliveries.find(destination, oldest)).toBeNull();
  });

  it('do not restart a delivery that is being sent', async () => {
    const [id] = webhookIds as [string];
    const destination = { workspaceId, kind: 'webhook', id } as const;
    const [delivery] = await addDeliveries(id, 1, TWO);
    const restart = () => dataSource.transaction((tx) => deliveries.restart(destination, delivery!.id, tx));
    await restart();
    expect(await deliveries.find(destination, delivery!.id)).toMatchObject({ leaseOwner: TWO });
    await dataSource.query(`UPDATE deliveries SET leased_until = now() - interval '1 second' WHERE id = $1`, [
      delivery!.id,
    ]);
    await restart();
    expect(await deliveries.find(destination, delivery!.id)).toMatchObject({
      leaseOwner: null,
      leasedUntil: null,
    });
  });

  it('that wait for a retry are due at once for another delivery', async () => {
    const [waiting, due] = webhookIds as [string, string];
    await addQueue(waiting, -60, 1);
    await addQueue(due, 9, 0);
    const destinations = [waiting, due].map((id) => ({ kind: 'webhook' as const, id }));
    await dataSource.transaction((tx) => deliveries.makeDue(workspaceId, destinations, tx));
    expect([await queueOf(waiting), await queueOf(due)]).toMatchObject([{ minutes: 0 }, { minutes: -9 }]);
  });

  it('treat a delivery that is to be sent again like one that never ended', async () => {
    const [id] = webhookIds as [string];
    const [delivery] = await addDeliveries(id, 1);
    await dataSource.query(
      `UPDATE deliveries SET status = 'failed', schedule_position = 3, next_attempt_at = NULL, completed_at = now()
       WHERE workspace_id = $1`,
      [workspaceId],
    );
    const destination = { workspaceId, kind: 'webhook', id } as const;
    await dataSource.transaction((tx) => deliveries.restart(destination, delivery!.id, tx));
    expect(await deliveries.find(destination, delivery!.id)).toMatchObject({
      status: 'pending',
      schedulePosition: 0,
      nextAttemptAt: expect.any(Date),
      completedAt: null,
    });
  });

  it('are made due again only by the process that has the lease', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, -1, 0);
    const [delivery] = await addDeliveries(id, 1, TWO);
    const released = { destination: { workspaceId, kind: 'webhook', id }, deliveryId: delivery!.id } as const;
    const claims = new DeliveryClaimsRepository(dataSource);
    await claims.release(ONE, [released]);
    expect(await stateOf(id)).toEqual({ lease_owner: TWO, isDue: false });
    await claims.release(TWO, [released]);
    expect(await stateOf(id)).toEqual({ lease_owner: null, isDue: true });
  });

  it('are retried without the deliveries in progress', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, 1, CIRCUIT_OPEN_AFTER);
    await addDeliveries(id, 1);
    await addDeliveries(id, 1, ONE);
    await dataSource.query(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE workspace_id = $1`,
      [workspaceId],
    );
    const destination = { workspaceId, kind: 'webhook', id } as const;
    const due = await dataSource.transaction((tx) =>
      new DestinationQueuesRepository(dataSource).retry(destination, tx),
    );
    const [{ waiting }] = await dataSource.query<[{ waiting: number }]>(
      'SELECT count(*)::int AS waiting FROM deliveries WHERE workspace_id = $1 AND next_attempt_at > now()',
      [workspaceId],
    );
    expect([due, waiting]).toEqual([1, 1]);
  });
});
