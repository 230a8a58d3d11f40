import { randomUUID } from 'node:crypto';
import { OutboxRepository, type RelayedEvent } from '../../src/messages/outbox/outbox.repository.js';
import { createTestDatabase, openDataSource } from '../support/database.js';

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);
const outbox = new OutboxRepository(dataSource);

describe('the outbox', () => {
  const workspaceId = randomUUID();

  beforeAll(async () => {
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [workspaceId]);
  });
  beforeEach(() => dataSource.query('DELETE FROM outbox_events'));

  const append = (uniqueKey: string, data: object = {}): Promise<void> =>
    outbox.append(
      workspaceId,
      { type: 'job.failed', uniqueKey, subjectId: randomUUID(), data },
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

  it('waits for 1 s to a minute after failed relays, twice as long each time', async () => {
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

  it('counts no failure of an event that was relayed meanwhile', async () => {
    await append('one');
    const id = await idOf('one');
    await outbox.markRelayed(workspaceId, [id], dataSource.manager);
    expect(await outbox.recordRelayFailure(workspaceId, id, 1)).toBe(false);
    expect(await dataSource.query('SELECT relay_failures, set_aside_at FROM outbox_events')).toEqual([
      { relay_failures: 0, set_aside_at: null },
    ]);
  });

  /** Changes columns of the event with this key. */
  const set = (uniqueKey: string, columns: string) =>
    dataSource.query(`UPDATE outbox_events SET ${columns} WHERE unique_key = $1`, [uniqueKey]);
  const keysOf = async (events: readonly { id: string }[]): Promise<string[]> => {
    const rows = await dataSource.query<{ id: string; key: string }[]>(
      'SELECT id, unique_key AS key FROM outbox_events',
    );
    const byId = new Map(rows.map(({ id, key }) => [id, key]));
    return events.map(({ id }) => byId.get(id)!);
  };

  it('gives the relay no more events than it asks for, and only waiting ones', async () => {
    for (const key of ['first', 'relayed', 'set aside', 'second', 'third']) await append(key);
    await set('relayed', 'relayed_at = now()');
    await set('set aside', 'set_aside_at = now()');
    const locked = await dataSource.transaction((tx) => outbox.lockWaiting(workspaceId, 2, tx));
    expect(await keysOf(locked)).toEqual(['first', 'second']);
    expect(await outbox.backlog()).toMatchObject({ count: 3 });
    expect(await outbox.countSetAside()).toBe(1);
  });

  it('skips events that another relay has locked', async () => {
    for (const key of ['first', 'second']) await append(key);
    const both = await dataSource.transaction(async (tx) => {
      const first = await outbox.lockWaiting(workspaceId, 1, tx);
      const second = await dataSource.transaction((other) => outbox.lockWaiting(workspaceId, 9, other));
      return [await keysOf(first), await keysOf(second)];
    });
    expect(both).toEqual([['first'], ['second']]);
  });

  it('names workspaces with waiting events by id, after a given one', async () => {
    const ids = Array.from({ length: 4 }, () => randomUUID()).sort() as [string, string, string, string];
    await dataSource.query(`INSERT INTO workspaces (id, name) SELECT unnest($1::uuid[]), 'Other'`, [ids]);
    await dataSource.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at, set_aside_at)
       SELECT workspace, gen_random_uuid(), 'job.failed', n, 'job', gen_random_uuid(), '{}', CASE WHEN workspace = $2 THEN now() END,
         CASE WHEN workspace = $3 THEN now() END
       FROM unnest($1::uuid[]) AS workspace, generate_series(1, 2) AS n`,
      [ids, ids[1], ids[2]],
    );
    const [first, , , last] = ids;
    expect(await outbox.findWaitingWorkspaces(null, 9)).toEqual([first, last]);
    expect(await outbox.findWaitingWorkspaces(null, 1)).toEqual([first]);
    expect(await outbox.findWaitingWorkspaces(first, 9)).toEqual([last]);
    expect(await outbox.findWaitingWorkspaces(last, 9)).toEqual([]);
  });

  it('pages through relayed events by time and id, strictly before a time', async () => {
    const keys = ['a', 'b', 'c', 'd', 'new', 'waiting'];
    for (const key of keys) await append(key);
    for (const key of ['b', 'c', 'd']) await set(key, `relayed_at = '2026-01-02'`);
    await set('a', `relayed_at = '2026-01-01'`);
    await set('new', `relayed_at = '2026-01-03'`);
    const before = new Date('2026-01-03T00:00:00Z');
    const sameTime = (await Promise.all(['b', 'c', 'd'].map(idOf))).sort();
    const expected = [await idOf('a'), ...sameTime];
    for (const ofWorkspace of [false, true]) {
      const seen: RelayedEvent[] = [];
      for (let page = 0; page < 5; page += 1) {
        const last = seen.at(-1) ?? null;
        seen.push(
          ...(await dataSource.transaction((tx) =>
            ofWorkspace
              ? outbox.lockRelayedOf(
                  workspaceId,
                  before,
                  last && { time: last.relayedAt, id: last.id },
                  1,
                  tx,
                )
              : outbox.lockRelayedBefore(before, last, 1, tx),
          )),
        );
      }
      expect(seen.map(({ id }) => id)).toEqual(expected);
    }
  });

  it('deletes events that were set aside before a time, the oldest first', async () => {
    for (const key of ['newer', 'older', 'new', 'waiting']) await append(key);
    await set('older', `set_aside_at = '2026-01-01'`);
    await set('newer', `set_aside_at = '2026-01-02'`);
    await set('new', `set_aside_at = '2026-01-03'`);
    const before = new Date('2026-01-03T00:00:00Z');
    const left = async () =>
      (await dataSource.query<{ id: string }[]>('SELECT unique_key AS id FROM outbox_events ORDER BY 1')).map(
        ({ id }) => id,
      );
    expect(await outbox.deleteSetAsideBefore(before, 1)).toBe(1);
    expect(await left()).toEqual(['new', 'newer', 'waiting']);
    expect(await outbox.deleteSetAsideBefore(before, 9)).toBe(1);
    expect(await left()).toEqual(['new', 'waiting']);
  });

  it('sets an event aside with its last failure', async () => {
    await append('one');
    const id = await idOf('one');
    const isSetAside: boolean[] = [];
    for (let failure = 0; failure < 3; failure += 1)
      isSetAside.push(await outbox.recordRelayFailure(workspaceId, id, 3));
    expect(isSetAside).toEqual([false, false, true]);
  });

  it.each([
    ['job.completed', 'job'],
    ['alert.triggered', 'alert'],
    ['alert.digest', 'alert'],
    ['export.completed', 'export'],
  ] as const)('stores the subject of %s', async (type, kind) => {
    const subjectId = randomUUID();
    await outbox.append(workspaceId, { type, uniqueKey: type, subjectId, data: {} }, dataSource.manager);
    expect(await dataSource.query('SELECT subject_kind, subject_id FROM outbox_events')).toEqual([
      { subject_kind: kind, subject_id: subjectId },
    ]);
  });

  it('stores a test event as relayed, with the type of its destination', async () => {
    for (const kind of ['webhook', 'alert'] as const)
      await outbox.appendTest(workspaceId, `${kind}.test`, randomUUID(), { is: kind }, dataSource.manager);
    const stored = await dataSource.query(
      `SELECT type, subject_kind, data, relayed_at IS NOT NULL AS relayed FROM outbox_events ORDER BY type`,
    );
    expect(stored).toEqual([
      { type: 'alert.test', subject_kind: 'alert', data: { is: 'alert' }, relayed: true },
      { type: 'webhook.test', subject_kind: 'webhook', data: { is: 'webhook' }, relayed: true },
    ]);
  });
});
