import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { OutboxRepository } from '../../src/modules/events/outbox.repository.js';
import { createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';

describe('the outbox', () => {
  const workspaceId = randomUUID();
  let database: TestDatabase;
  let dataSource: DataSource;
  let outbox: OutboxRepository;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    outbox = new OutboxRepository(dataSource);
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [workspaceId]);
  });
  beforeEach(() => dataSource.query('DELETE FROM outbox_events'));
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const append = (uniqueKey: string, data: object = {}): Promise<void> =>
    outbox.append(
      workspaceId,
      { type: 'job.failed', uniqueKey, subjectKind: 'job', subjectId: randomUUID(), data },
      dataSource.manager,
    );
  const idOf = async (uniqueKey: string): Promise<string> => {
    const [{ id }] = await dataSource.query<[{ id: string }]>(
      'SELECT id FROM outbox_events WHERE unique_key = $1',
      [uniqueKey],
    );
    return id;
  };

  it('stores an event once for each unique key', async () => {
    await append('one', { is: 'first' });
    await append('one', { is: 'second' });
    await append('other');
    expect(await dataSource.query('SELECT unique_key, data FROM outbox_events ORDER BY 1')).toEqual([
      { unique_key: 'one', data: { is: 'first' } },
      { unique_key: 'other', data: {} },
    ]);
  });

  it('waits one second after the first failed relay, twice as long after each further one, and at most a minute', async () => {
    await append('one');
    const [{ id }] = await dataSource.query<[{ id: string }]>('SELECT id FROM outbox_events');
    const waits: number[] = [];
    for (let failure = 1; failure <= 9; failure += 1) {
      const [{ before }] = await dataSource.query<[{ before: Date }]>('SELECT clock_timestamp() AS before');
      expect(await outbox.recordRelayFailure(workspaceId, id, 100)).toBe(false);
      const [row] = await dataSource.query<[{ waited: number; slack: number }]>(
        `SELECT extract(epoch FROM relay_not_before - $1)::float8 AS waited,
           extract(epoch FROM clock_timestamp() - $1)::float8 AS slack FROM outbox_events`,
        [before],
      );
      // The wait begins between the two readings of the clock.
      const wait = Math.min(60, 2 ** (failure - 1));
      expect(row.waited).toBeGreaterThanOrEqual(wait - 0.001);
      expect(row.waited).toBeLessThanOrEqual(wait + row.slack);
      waits.push(wait);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('gives the relay the oldest events first, and none before its next attempt is due', async () => {
    for (const key of ['old', 'failed', 'new']) await append(key);
    await dataSource.query(
      `UPDATE outbox_events SET created_at = now() + interval '1 minute' WHERE unique_key = 'new'`,
    );
    await outbox.recordRelayFailure(workspaceId, await idOf('failed'), 100);
    await dataSource.query(
      `UPDATE outbox_events SET relay_not_before = now() + interval '1 minute' WHERE relay_failures > 0`,
    );
    const locked = await dataSource.transaction((tx) => outbox.lockWaiting(workspaceId, 10, tx));
    expect(locked.map(({ id }) => id)).toEqual([await idOf('old'), await idOf('new')]);
  });

  it('counts no failure of an event that was relayed meanwhile, and does not set it aside', async () => {
    await append('one');
    const id = await idOf('one');
    await outbox.markRelayed(workspaceId, [id], dataSource.manager);
    expect(await outbox.recordRelayFailure(workspaceId, id, 1)).toBe(false);
    expect(await dataSource.query('SELECT relay_failures, set_aside_at FROM outbox_events')).toEqual([
      { relay_failures: 0, set_aside_at: null },
    ]);
  });
});
