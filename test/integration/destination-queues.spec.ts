import { DataSource } from 'typeorm';
import { DestinationQueuesRepository } from '../../src/modules/delivery/destination-queues.repository.js';
import { DeliveryClaimsRepository } from '../../src/modules/delivery/sender/delivery-claims.repository.js';
import { CIRCUIT_OPEN_AFTER } from '../../src/modules/delivery/sender/send-limits.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { addWebhooks } from '../support/webhooks.js';

describe('the queues of destinations', () => {
  let service: TestApplication;
  let dataSource: DataSource;
  let workspaceId: string;
  let webhookIds: string[];

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api' });
    dataSource = service.app.get(DataSource);
  });
  beforeEach(async () => {
    await dataSource.query('DELETE FROM destination_queues');
    ({ workspaceId } = await service.createWorkspace());
    await addWebhooks(dataSource, workspaceId, 4, 'https://example.com/hook');
    const rows = await dataSource.query<{ id: string }[]>(
      'SELECT id FROM webhooks WHERE workspace_id = $1 ORDER BY id',
      [workspaceId],
    );
    webhookIds = rows.map(({ id }) => id);
  });
  afterAll(() => service.close());

  /** A queue that has been due for so many minutes. */
  const addQueue = (id: string, minutes: number, failures: number) =>
    dataSource.query(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, due_at, failures)
       VALUES ($1, 'webhook', $2, now() - $3 * interval '1 minute', $4)`,
      [workspaceId, id, minutes, failures],
    );

  it('of open circuits take no turns of the other destinations of their workspace', async () => {
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

  it('are retried without the deliveries that are being sent', async () => {
    const [id] = webhookIds as [string];
    await addQueue(id, 1, CIRCUIT_OPEN_AFTER);
    await dataSource.query(
      `WITH event AS (
         INSERT INTO outbox_events (workspace_id, id, type, unique_key, data)
         SELECT $1, gen_random_uuid(), 'job.completed', number, '{}' FROM generate_series(1, 2) AS number RETURNING *
       )
       INSERT INTO deliveries (workspace_id, id, event_id, event_type, destination_kind, destination_id, next_attempt_at,
         leased_until)
       SELECT $1, gen_random_uuid(), id, type, 'webhook', $2, now() + interval '1 hour',
         CASE WHEN unique_key = '1' THEN now() + interval '1 minute' END
       FROM event`,
      [workspaceId, id],
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
