import { randomUUID } from 'node:crypto';
import { AlertMatchesRepository } from '../../src/alerts/matching/alert-matches.repository.js';
import { ApiKey } from '../../src/access/api-keys/api-key.entity.js';
import { ApiKeysRepository } from '../../src/access/api-keys/api-keys.repository.js';
import type { Session } from '../../src/access/api-keys/session.entity.js';
import { SessionsRepository } from '../../src/access/api-keys/sessions.repository.js';
import { DestinationQueuesRepository } from '../../src/deliver/queue/destination-queues.repository.js';
import { EncryptionKeysRepository } from '../../src/tenants/encryption/encryption-keys.repository.js';
import { AuditRepository } from '../../src/access/audit/audit.repository.js';
import { IdempotencyRepository } from '../../src/access/idempotency/idempotency.repository.js';
import { createTestDatabase, openDataSource } from '../support/database.js';

const NOW = new Date('2026-06-30T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const NEW_SESSION = {
  ...{ kind: 'session' as const, assistant: null, parentId: null, sessionEndsAt: null },
  ...{ address: null, userAgent: null },
  ...{ createdAt: NOW, lastUsedAt: NOW },
};
const at = (ms: number): Date => new Date(NOW.getTime() + ms);

let workspaceId: string;

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);
const keys = new ApiKeysRepository(dataSource.getRepository(ApiKey));
beforeEach(async () => {
  workspaceId = randomUUID();
  await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [workspaceId]);
});

/** Adds a key whose expiry is so many minutes ahead. */
async function addKey(key: Partial<ApiKey> & { minutes?: number } = {}): Promise<string> {
  const { minutes, ...given } = key;
  const id = randomUUID();
  await dataSource.manager.insert(ApiKey, {
    workspaceId,
    id,
    name: 'Test',
    keyPrefix: 'rp_',
    keyHash: Buffer.from(id),
    scopes: ['read'],
    isActive: true,
    lastUsedAt: null,
    createdAt: NOW,
    expiresAt: minutes === undefined ? null : new Date(Date.now() + minutes * 60_000),
    ...given,
  });
  return id;
}
const find = (id: string) => keys.find(workspaceId, id);

describe('API keys', () => {
  it('count as active until they are revoked or have expired', async () => {
    await addKey();
    await addKey({ minutes: 5 });
    await addKey({ minutes: -1 });
    await addKey({ isActive: false });
    await addKey({ isActive: false, minutes: 5 });
    expect(await keys.countActive(workspaceId)).toBe(2);
  });

  it('are found by their hash in whatever state', async () => {
    const id = await addKey({ isActive: false });
    expect(await keys.findByHash(Buffer.from(id))).toMatchObject({ workspaceId, id, isActive: false });
    expect(await keys.findByHash(Buffer.from('none'))).toBeNull();
  });

  it('that ended are deleted except for the newest', async () => {
    const made = [];
    for (let age = 0; age < 4; age += 1)
      made.push(await addKey({ isActive: false, createdAt: at(-age * HOUR_MS) }));
    const expired = await addKey({ minutes: -1, createdAt: at(-9 * HOUR_MS) });
    const active = await addKey({ createdAt: at(-10 * HOUR_MS) });
    await keys.deleteEnded(workspaceId, 2, dataSource.manager);
    const left = (await keys.list(workspaceId)).map(({ id }) => id);
    expect(left.sort()).toEqual([made[0], made[1], active].sort());
    expect(left).not.toContain(expired);
  });

  it('expire after the given seconds, or earlier by their own expiry', async () => {
    const expire = (id: string, seconds: number) =>
      keys.expireAfter(workspaceId, id, seconds, dataSource.manager);
    const minutesLeft = async (id: string) =>
      Math.round(((await find(id))!.expiresAt!.getTime() - Date.now()) / 60_000);
    const [endless, ending] = [await addKey(), await addKey({ minutes: 5 })];
    expect(await expire(endless, 600)).toEqual({ name: 'Test', scopes: ['read'] });
    expect(await expire(ending, 600)).not.toBeNull();
    expect([await minutesLeft(endless), await minutesLeft(ending)]).toEqual([10, 5]);
    expect(await expire(endless, 120)).not.toBeNull();
    expect(await minutesLeft(endless)).toBe(2);
    for (const id of [await addKey({ isActive: false }), await addKey({ minutes: -1 })])
      expect(await expire(id, 600)).toBeNull();
  });

  it('record a use unless a later one is recorded', async () => {
    const id = await addKey();
    const lastUse = async (now: Date, unlessSince: Date) => {
      await keys.touch(workspaceId, id, now, unlessSince);
      return (await find(id))!.lastUsedAt;
    };
    expect(await lastUse(NOW, at(-1))).toEqual(NOW);
    expect(await lastUse(at(1), NOW)).toEqual(NOW);
    expect(await lastUse(at(2), at(1))).toEqual(at(2));
  });

  it('show the latest use of each workspace', async () => {
    await addKey({ lastUsedAt: at(1) });
    await addKey({ lastUsedAt: at(2) });
    await addKey();
    expect(await keys.lastUses([workspaceId, randomUUID()])).toEqual(new Map([[workspaceId, at(2)]]));
  });
});

describe('sessions', () => {
  it('lead to their key until they expire, and are then deleted', async () => {
    const sessions = new SessionsRepository(dataSource);
    const apiKeyId = await addKey();
    const begin = async (expiresAt: Date): Promise<Buffer> => {
      const tokenHash = Buffer.from(randomUUID());
      await sessions.insert(
        { ...NEW_SESSION, workspaceId, tokenHash, id: randomUUID(), apiKeyId, expiresAt },
        20,
      );
      return tokenHash;
    };
    const [older, ended, running] = [await begin(at(-1)), await begin(NOW), await begin(at(1))];
    expect(await sessions.find('session', running, NOW, at(-1))).toMatchObject({
      key: { workspaceId, id: apiKeyId },
    });
    expect(await sessions.find('session', running, NOW, NOW)).toBeNull();
    expect(await sessions.find('session', ended, NOW, at(-1))).toBeNull();
    expect(await sessions.find('session', ended, at(-1), at(-1))).not.toBeNull();
    expect(await sessions.deleteExpired(NOW, 1)).toBe(1);
    const isLeft = async (tokenHash: Buffer) =>
      (await sessions.find('session', tokenHash, at(-9), at(-1))) !== null;
    expect([await isLeft(older), await isLeft(ended), await isLeft(running)]).toEqual([false, true, true]);
    expect(await sessions.deleteExpired(NOW, 9)).toBe(1);
    expect([
      await sessions.delete(workspaceId, running),
      await sessions.delete(workspaceId, running),
    ]).toEqual([true, false]);
  });
});

describe('the sessions of a key', () => {
  it('are limited, listed newest first, and end with the links made in them', async () => {
    const sessions = new SessionsRepository(dataSource);
    const [apiKeyId, otherKeyId] = [await addKey(), await addKey()];
    const begin = async (created: number, session: Partial<Session> = {}): Promise<string> => {
      const id = randomUUID();
      const row = { workspaceId, tokenHash: Buffer.from(id), id, apiKeyId, expiresAt: at(HOUR_MS) };
      await sessions.insert({ ...NEW_SESSION, ...row, createdAt: at(created), ...session }, 2);
      return id;
    };
    const [oldest, older, newest] = [await begin(-3), await begin(-2), await begin(-1)];
    const other = await begin(-4, { apiKeyId: otherKeyId });
    const list = async (key: string | null) =>
      (await sessions.list(workspaceId, key, NOW, at(-1))).map(({ id }) => id);
    expect(await list(null)).toEqual([newest, older, other]);
    expect(await list(apiKeyId)).toEqual([newest, older]);
    const link = await begin(0, { kind: 'link', parentId: older });
    expect(await sessions.end(workspaceId, other, apiKeyId)).toBe(0);
    expect(await sessions.end(workspaceId, oldest, null)).toBe(0);
    expect(await sessions.end(workspaceId, older, apiKeyId)).toBe(1);
    expect(await sessions.find('link', Buffer.from(link), NOW, at(-1))).toBeNull();
    expect(await sessions.end(workspaceId, null, null)).toBe(2);
    expect(await list(null)).toEqual([]);
  });

  it('record a use unless a later one is recorded', async () => {
    const sessions = new SessionsRepository(dataSource);
    const id = randomUUID();
    const apiKeyId = await addKey();
    const row = { workspaceId, tokenHash: Buffer.from(id), id, apiKeyId, expiresAt: at(HOUR_MS) };
    await sessions.insert({ ...NEW_SESSION, ...row }, 2);
    for (const [now, unlessSince, used] of [
      [1, 0, 0],
      [2, 1, 2],
    ] as const) {
      await sessions.touch(workspaceId, id, at(now), at(unlessSince));
      expect(await sessions.list(workspaceId, null, NOW, at(-1))).toMatchObject([{ lastUsedAt: at(used) }]);
    }
  });
});

describe('the audit log', () => {
  it('is paged by time and id, newest first', async () => {
    const audit = new AuditRepository(dataSource);
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) {
      const id = randomUUID();
      ids.push(id);
      await audit.insert({
        id,
        actor: 'admin',
        actorName: null,
        ip: null,
        action: 'test',
        targetWorkspaceId: workspaceId,
        resource: {},
        fields: [],
        requestId: null,
      });
    }
    const [oldest, ...sameTime] = ids as [string, string, string, string];
    await dataSource.query(`UPDATE audit_entries SET recorded_at = '2026-01-02' WHERE id = ANY($1)`, [
      sameTime,
    ]);
    await dataSource.query(`UPDATE audit_entries SET recorded_at = '2026-01-01' WHERE id = $1`, [oldest]);
    const seen: { id: string; position: string }[] = [];
    for (let page = 0; page < 5; page += 1) {
      const last = seen.at(-1);
      const after = last === undefined ? null : { time: last.position, id: last.id };
      seen.push(...(await audit.list({ workspaceId }, after, 1)));
    }
    expect(seen.map(({ id }) => id)).toEqual([...sameTime.sort().reverse(), oldest]);
  });

  it('adds to an entry what is known only afterwards, and keeps its workspace', async () => {
    const audit = new AuditRepository(dataSource);
    const [id, other] = [randomUUID(), randomUUID()];
    const change = { actorName: 'me', ip: null, action: 'test', fields: [], requestId: null };
    const entry = { ...change, id, actor: 'command_line' as const, resource: { a: '1' } };
    await audit.insert({ ...entry, targetWorkspaceId: null });
    for (const targetWorkspaceId of [workspaceId, other])
      await audit.finish(id, { status: 0, targetWorkspaceId, resource: { id: '2' } });
    expect(await audit.list({ workspaceId }, null, 9)).toMatchObject([
      { id, status: 0, targetWorkspaceId: workspaceId, resource: { a: '1', id: '2' } },
    ]);
  });
});

describe('idempotency keys', () => {
  it('are taken while a response is kept or a request has its lease', async () => {
    const requests = new IdempotencyRepository(dataSource);
    const owner = { workspaceId, apiKeyId: randomUUID(), key: 'key' };
    const times = { keptMs: 24 * HOUR_MS, leaseMs: 60_000 };
    const limits = { keys: Infinity, bytes: Infinity };
    const begin = (print = 'a') => requests.begin(workspaceId, owner, Buffer.from(print), times, limits);
    const age = (column: string, interval: string) =>
      dataSource.query(
        `UPDATE idempotency_keys SET ${column} = now() - interval '${interval}' WHERE workspace_id = $1`,
        [workspaceId],
      );
    const former = { ...owner, lease: (await begin())! };
    expect(await begin()).toBeNull();
    await age('lease_until', '1 second');
    const held = { ...owner, lease: (await begin('b'))! };
    // The former request ends after it has lost its lease.
    await requests.complete(workspaceId, former, 201, 'of the former');
    await requests.release(workspaceId, former);
    expect(await requests.find(workspaceId, owner)).toMatchObject({ status: null });
    await requests.complete(workspaceId, held, 201, 'sealed');
    await requests.release(workspaceId, held);
    await age('lease_until', '1 second');
    await age('created_at', '23 hours 59 minutes');
    expect(await begin('c')).toBeNull();
    expect(await requests.find(workspaceId, owner)).toEqual({
      fingerprint: Buffer.from('b'),
      status: 201,
      sealed_body: 'sealed',
    });
    await age('created_at', '24 hours 1 minute');
    const last = { ...owner, lease: (await begin('c'))! };
    expect(await requests.find(workspaceId, owner)).toEqual({
      fingerprint: Buffer.from('c'),
      status: null,
      sealed_body: null,
    });
    await requests.release(workspaceId, last);
    expect(await requests.find(workspaceId, owner)).toBeNull();
  });
});

describe('encryption keys', () => {
  it('are replaced an hour after a newer one was recorded', async () => {
    const encryptionKeys = new EncryptionKeysRepository(dataSource);
    const record = (keyId: string, minutes: number) =>
      dataSource.query(
        `INSERT INTO encryption_keys (key_id, first_used_at) VALUES ($1, now() - $2 * interval '1 minute')
         ON CONFLICT (key_id) DO UPDATE SET first_used_at = excluded.first_used_at`,
        [keyId, minutes],
      );
    const others = async () =>
      (await encryptionKeys.findOthers('own')).map(({ keyId, isReplaced }) => [keyId, isReplaced]);
    await record('older', 500);
    await record('newer', 1);
    expect(await others()).toEqual([
      ['newer', false],
      ['older', false],
    ]);
    for (const minutes of [59, 61]) {
      await record('own', minutes);
      expect(await others()).toEqual([
        ['newer', false],
        ['older', minutes === 61],
      ]);
    }
    await encryptionKeys.insert('own', dataSource.manager);
    await encryptionKeys.remove(['older']);
    expect((await encryptionKeys.ids(dataSource.manager)).sort()).toEqual(['newer', 'own']);
  });
});

describe('destinations', () => {
  it('with open circuits are listed by most failures, then by id', async () => {
    const queues = new DestinationQueuesRepository(dataSource);
    const ids = Array.from({ length: 4 }, () => randomUUID()).sort();
    await dataSource.query(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, failures)
       SELECT $1, 'webhook', id, CASE WHEN id = $3 THEN 9 ELSE 5 END FROM unnest($2::uuid[]) AS id`,
      [workspaceId, ids, ids[2]],
    );
    const listed = async (limit: number) => (await queues.openCircuits(limit)).map(({ id }) => id);
    expect(await listed(9)).toEqual([ids[2], ids[0], ids[1], ids[3]]);
    expect(await listed(2)).toEqual([ids[2], ids[0]]);
    expect(await queues.find(ids[0]!)).toEqual({ workspaceId, kind: 'webhook', id: ids[0] });
    expect(await queues.find(randomUUID())).toBeNull();
  });
});

it('matches of alerts are stored in the order of alerts and posts', async () => {
  const matches = new AlertMatchesRepository(dataSource);
  const [first, second] = [randomUUID(), randomUUID()].sort() as [string, string];
  await dataSource.query(
    `INSERT INTO alerts (workspace_id, id, name, keywords, forums, channel, sealed_channel_config)
     SELECT $1, unnest($2::uuid[]), 'a', '{a}', '{}', 'email', ''`,
    [workspaceId, [first, second]],
  );
  const given = [
    { alertId: second, postId: 't3_1' },
    { alertId: first, postId: 't3_2' },
    { alertId: first, postId: 't3_1' },
  ];
  const keyed = given.map((match) => ({ ...match, keywords: ['a'] }));
  const insert = () => matches.insert(workspaceId, randomUUID(), keyed, dataSource.manager);
  const stored = (await insert()).map(({ alertId, postId }) => ({ alertId, postId }));
  expect(stored).toEqual([...given].reverse());
  expect(await insert()).toEqual([]);
});
