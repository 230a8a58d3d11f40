import { DataSource } from 'typeorm';
import { AuditRepository } from '../../src/access/audit/audit.repository.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';
const SECRET = 'a secret of more than 24 characters';
const HOOK = 'https://8.8.8.8/token-in-the-path';

interface Entry {
  id: string;
  created_at: string;
  actor: string;
  actor_name: string | null;
  ip: string | null;
  action: string;
  key_name: string | null;
  record_name: string | null;
  fields: string[];
  changes: { field: string; before: string | null; after: string | null }[];
}

describe('the history of a workspace', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ADMIN_TOKEN, ROLES: 'api,worker,scheduler' });
  });
  afterAll(() => service?.close());
  beforeEach(async () => (workspace = await service.createWorkspace()));

  const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    call<{ id: string; key: string }>(service, workspace, method, path, body);
  const history = async (query: Record<string, string> = {}, of = workspace): Promise<Entry[]> =>
    (await call<{ entries: Entry[] }>(service, of, 'GET', `/audit?${new URLSearchParams(query).toString()}`))
      .entries;

  it('names key, record and settings before and after, and no secret', async () => {
    const alert = await send('POST', '/alerts', {
      name: 'Batteries',
      keywords: ['battery'],
      channel: 'chat_a',
      channel_config: { webhook_url: HOOK },
    });
    await send('PATCH', `/alerts/${alert.id}`, {
      name: 'Chargers',
      query: 'charger',
      delivery: { every: 'day', at: '08:00', timezone: 'Europe/Berlin' },
      channel_config: { webhook_url: `${HOOK}-2` },
    });
    await send('DELETE', `/alerts/${alert.id}`);
    const hook = await send('POST', '/webhooks', { url: HOOK, secret: SECRET });
    await send('PATCH', `/webhooks/${hook.id}`, { url: `${HOOK}-2`, is_active: false, secret: `${SECRET}2` });
    await send('DELETE', `/webhooks/${hook.id}`);
    const entries = await history();
    expect(entries.map(({ action, record_name: name, changes }) => [action, name, changes])).toEqual([
      ['deleteWebhook', '8.8.8.8', []],
      ['updateWebhook', '8.8.8.8', [{ field: 'is_active', before: 'true', after: 'false' }]],
      ['createWebhook', '8.8.8.8', []],
      ['deleteAlert', 'Chargers', []],
      [
        'updateAlert',
        'Chargers',
        expect.arrayContaining([
          { field: 'name', before: 'Batteries', after: 'Chargers' },
          { field: 'query', before: null, after: 'charger' },
          { field: 'delivery.timezone', before: null, after: 'Europe/Berlin' },
        ]),
      ],
      ['createAlert', 'Batteries', []],
    ]);
    expect(entries[1]!.fields).toEqual(['url', 'is_active', 'secret']);
    const stored = await service.app.get(DataSource).query<object[]>('SELECT * FROM audit_entries');
    for (const text of [entries, stored].map((one) => JSON.stringify(one)))
      expect(text).not.toMatch(/token-in-the-path|a secret of/);
  });

  it('has settings of schedules, the role of a member and the name of a revoked key', async () => {
    const schedule = await send('POST', '/schedules', { target: 'news', cron_expression: '0 * * * *' });
    await send('PATCH', `/schedules/${schedule.id}`, { config: { timezone: 'Asia/Tokyo' } });
    const member = await send('POST', '/members', { email: 'ana@example.org', role: 'reader' });
    await send('PATCH', `/members/${member.id}`, { role: 'owner' });
    const key = await send('POST', '/api-keys', { name: 'Nightly export', scopes: ['write'] });
    await call(service, { ...workspace, apiKey: key.key }, 'POST', '/jobs', { target: 'science' });
    await send('DELETE', `/api-keys/${key.id}`);
    const changes = Object.fromEntries(
      (await history()).map((entry) => [entry.action, [entry.record_name, entry.key_name, ...entry.changes]]),
    );
    const [first] = await history({ action: 'createSchedule' });
    expect(changes).toMatchObject({
      updateSchedule: ['news', first!.key_name, { field: 'config.timezone', after: 'Asia/Tokyo' }],
      updateMember: ['ana@example.org', first!.key_name, { field: 'role', before: 'reader', after: 'owner' }],
      revokeApiKey: ['Nightly export', first!.key_name],
      createJob: ['science', 'Nightly export'],
    });
    const found = async (q: string) => (await history({ q })).map(({ action }) => action);
    expect(await found('nightly EXPORT')).toEqual(['revokeApiKey', 'createJob', 'createApiKey']);
    expect(await found('asia/tokyo')).toEqual(['updateSchedule']);
    expect(await found(member.id)).toEqual(['updateMember', 'createMember']);
    expect(await found('%')).toEqual([]);
  });

  it('is limited to a period, and paged', async () => {
    for (const target of ['one', 'two', 'three']) await send('POST', '/jobs', { target });
    const [third, second, first] = await history();
    const between = await history({ from: second!.created_at, to: third!.created_at });
    expect(between.map(({ record_name: name }) => name)).toEqual(['two']);
    const query = '/audit?limit=2&q=createJob';
    const page = await call<{ cursor: string; entries: Entry[] }>(service, workspace, 'GET', query);
    const next = await call<{ entries: Entry[]; has_more: boolean }>(
      service,
      workspace,
      'GET',
      `${query}&cursor=${encodeURIComponent(page.cursor)}`,
    );
    const idsOf = (entries: Entry[]): string[] => entries.map((entry) => entry.id);
    expect([idsOf(page.entries), idsOf(next.entries), next.has_more]).toEqual([
      idsOf([third!, second!]),
      idsOf([first!]),
      false,
    ]);
    await requestAs(service, workspace, 'GET', '/audit?from=yesterday').expect(400);
  });

  it('leaves out who the operators are, and every other workspace', async () => {
    const other = await service.createWorkspace('Other');
    await call(service, other, 'POST', '/jobs', { target: 'elsewhere' });
    const admin = `${service.url}/api/v1/admin`;
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Renamed' });
    await fetch(`${admin}/workspaces/${workspace.workspaceId}`, { method: 'PATCH', headers, body });
    expect(await history()).toMatchObject([
      { action: 'updateAdminWorkspace', actor: 'admin', actor_name: null, ip: null, record_name: 'Renamed' },
    ]);
    expect(await history({ q: '127.0.0.1' })).toEqual([]);
    const listed = await fetch(`${admin}/audit?workspace_id=${workspace.workspaceId}&q=127.0.0.1`, {
      headers,
    });
    expect(await listed.json()).toMatchObject({
      entries: [{ action: 'updateAdminWorkspace', ip: expect.stringContaining('127.0.0.1') as string }],
    });
  });

  it('loses the values that name an erased author, and nothing else', async () => {
    const alert = await send('POST', '/alerts', { name: 'Of Zed', query: 'x author:zed-quux' });
    await send('PATCH', `/alerts/${alert.id}`, { query: 'x author:ZED-QUUX OR y' });
    await send('PATCH', `/alerts/${alert.id}`, { name: 'Of all' });
    await send('POST', '/erasures', { source: 'reddit', author: 'zed-quux', reason: 'asked' });
    await until(async () => (await history({ action: 'updateAlert' }))[1]!.changes.length === 0);
    expect((await history({ action: 'updateAlert' })).map(({ record_name: name }) => name)).toEqual([
      'Of all',
      null,
    ]);
    const stored = await service.app.get(DataSource).query<object[]>('SELECT details FROM audit_entries');
    expect(JSON.stringify(stored).toLowerCase()).not.toContain('zed-quux');
    await service.get(AuditRepository).clearDetails(workspace.workspaceId.replace('ws_', ''), null);
    expect((await history()).every(({ record_name: name }) => name === null)).toBe(true);
  });
});
