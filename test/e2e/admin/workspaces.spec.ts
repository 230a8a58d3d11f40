import { DataSource } from 'typeorm';
import { startTestApplication } from '../../support/application.js';
import { ContractClient, type ContractOperation } from '../../support/contract.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

interface Listed {
  id: string;
  name: string;
  status: string;
  last_activity_at: string | null;
  quotas: Record<string, number>;
  usage: Record<string, number>;
}
interface Page {
  workspaces: Listed[];
  total: number;
  cursor: string;
  has_more: boolean;
}
type Problem = { code: string };

const service = await startTestApplication({ ADMIN_TOKEN: TOKEN });
const client = new ContractClient(service);
const workspace = await service.createWorkspace('First');

describe('the admin API', () => {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const at = (path: string) => `/api/v1/admin${path}`;
  const of = ({ workspaceId }: { workspaceId: string }) => at(`/workspaces/${workspaceId}`);

  describe('access', () => {
    const attempt = async (
      { method, path }: ContractOperation,
      given: Record<string, string>,
      on = client,
    ) => {
      const answer = await on.call<Problem>(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, UNKNOWN_ID), {
        headers: given,
        query: { no_such_parameter: 1 },
      });
      return `${answer.status} ${answer.body?.code}`;
    };
    const operations = () =>
      client.contract.operations.filter(
        ({ path, operation }) =>
          path.startsWith('/api/v1/admin/') && operation.operationId !== 'createAdminSession',
      );
    const everywhere = async (given: Record<string, string>, on = client) => [
      ...new Set(await Promise.all(operations().map((one) => attempt(one, given, on)))),
    ];

    it('needs the token on every operation', async () => {
      expect(operations().length).toBeGreaterThanOrEqual(6);
      expect(await everywhere({})).toEqual(['401 missing_admin_token']);
      expect(await everywhere({ Authorization: `Bearer ${TOKEN}x` })).toEqual(['401 invalid_admin_token']);
      expect(await everywhere({ Authorization: `Bearer ${workspace.apiKey}` })).toEqual([
        '401 invalid_admin_token',
      ]);
      expect(await everywhere({ 'X-API-Key': workspace.apiKey })).toEqual(['401 missing_admin_token']);
      expect(await everywhere(headers)).toEqual(['400 validation_failed']);
    });

    it('does not accept the token in place of an API key', async () => {
      const answer = await client.get<Problem>(workspace.path('/jobs'), { headers });
      expect(answer.body.code).toBe('missing_api_key');
    });

    it('does not exist without a configured token', async () => {
      const other = await startTestApplication();
      const on = new ContractClient(other);
      expect(await everywhere(headers, on)).toEqual(['404 not_found']);
      expect((await on.post(at('/session'), { admin_token: 'undefined' })).status).toBe(404);
      expect((await on.post(at('/session'), {})).status).toBe(404);
      expect(await everywhere({ Authorization: 'Bearer undefined' }, on)).toEqual(['404 not_found']);
    });

    it('counts requests and failures', async () => {
      const other = await startTestApplication({ ADMIN_TOKEN: TOKEN, API_RATE_LIMIT_PER_MINUTE: '2' });
      const on = new ContractClient(other);
      const first = await on.get(at('/workspaces'), { headers });
      expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '1']);
      await on.get(at('/workspaces'), { headers });
      const third = await on.get<Problem>(at('/workspaces'), { headers });
      expect([third.body.code, third.headers.has('retry-after')]).toEqual(['rate_limited', true]);
      const fail = async () => (await fetch(`${other.url}${at('/workspaces')}`)).status;
      const statuses = new Set<number>();
      for (let n = 0; n < 65; n += 1)
        for (const status of await Promise.all(Array.from({ length: 10 }, fail))) statuses.add(status);
      expect([...statuses]).toEqual([401, 429]);
    });
  });

  it('creates a workspace whose key works', async () => {
    const { status, body } = await client.post<Listed & { workspace_id: string; api_key: string }>(
      at('/workspaces'),
      { name: 'Made here' },
      { headers },
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: `ws_${body.workspace_id}`, name: 'Made here', status: 'active' });
    const jobs = await client.get(`/api/v1/workspaces/${body.workspace_id}/jobs`, { key: body.api_key });
    expect(jobs.status).toBe(200);
  });

  it('lists workspaces newest first in pages, by part of their name or by id', async () => {
    const names = ['Alpha one', 'alpha two', 'Alpha three'];
    for (const name of names) await service.createWorkspace(name);
    const first = await client.get<Page>(at('/workspaces'), { headers, query: { q: 'ALPHA', limit: 2 } });
    expect(first.body).toMatchObject({ total: 3, has_more: true });
    const second = await client.get<Page>(at('/workspaces'), {
      headers,
      query: { q: 'ALPHA', limit: 2, cursor: first.body.cursor },
    });
    expect(second.body.has_more).toBe(false);
    const seen = [...first.body.workspaces, ...second.body.workspaces].map(({ name }) => name);
    expect(seen).toEqual([...names].reverse());
    const other = await client.get<Problem>(at('/workspaces'), {
      headers,
      query: { q: 'other', cursor: first.body.cursor },
    });
    expect(other.body.code).toBe('invalid_cursor');
    for (const q of [workspace.workspaceId, `ws_${workspace.workspaceId}`]) {
      const found = await client.get<Page>(at('/workspaces'), { headers, query: { q } });
      expect(found.body.workspaces.map(({ name }) => name)).toEqual(['First']);
    }
  });

  it('lists workspaces created at the same moment once each, whatever the page size', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 4; made += 1) ids.push((await service.createWorkspace('At once')).workspaceId);
    await service.app
      .get(DataSource)
      .query(`UPDATE workspaces SET created_at = '2026-06-30' WHERE id = ANY ($1)`, [ids]);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < ids.length; page += 1) {
      const query = { q: 'At once', limit: 1, ...(cursor && { cursor }) };
      const { body } = await client.get<Page>(at('/workspaces'), { headers, query });
      seen.push(...body.workspaces.map(({ id }) => id));
      expect(body.has_more).toBe(page < ids.length - 1);
      cursor = body.cursor;
    }
    expect(seen).toEqual(
      ids
        .sort()
        .reverse()
        .map((id) => `ws_${id}`),
    );
  });

  it('shows usage and last activity', async () => {
    const used = await service.createWorkspace('Used');
    const before = await client.get<Listed>(of(used), { headers });
    expect(before.body).toMatchObject({ last_activity_at: null, usage: { pending_jobs: 0 } });
    await client.post(used.path('/jobs'), { target: 'technology' }, { key: used.apiKey });
    const { body } = await client.get<Listed>(of(used), { headers });
    expect(body.usage).toEqual({ posts: 0, comments: 0, media_bytes: 0, pending_jobs: 1 });
    expect(Date.parse(body.last_activity_at!)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('reports the newest job or the last use of a key as last activity', async () => {
    const used = await service.createWorkspace();
    await client.post(used.path('/jobs'), { target: 'technology' }, { key: used.apiKey });
    await client.post(used.path('/api-keys'), { name: 'Second' }, { key: used.apiKey });
    const dataSource = service.app.get(DataSource);
    await dataSource.query(`UPDATE jobs SET created_at = '2026-01-02' WHERE workspace_id = $1`, [
      used.workspaceId,
    ]);
    const lastActivity = async (firstUse: string, secondUse: string) => {
      await dataSource.query(
        `UPDATE api_keys SET last_used_at = CASE name WHEN 'Second' THEN $3 ELSE $2 END::timestamptz WHERE workspace_id = $1`,
        [used.workspaceId, firstUse, secondUse],
      );
      return (await client.get<Listed>(of(used), { headers })).body.last_activity_at!.slice(0, 10);
    };
    expect([
      await lastActivity('2026-01-01', '2025-12-31'),
      await lastActivity('2026-01-03', '2026-01-01'),
      await lastActivity('2026-01-01', '2026-01-04'),
    ]).toEqual(['2026-01-02', '2026-01-03', '2026-01-04']);
  });

  it('sets a quota, keeps the others, and clears it by null', async () => {
    const limited = await service.createWorkspace();
    const patch = (quotas: object) => client.patch<Listed>(of(limited), { quotas }, { headers });
    const addWebhook = () =>
      client.post<Problem>(limited.path('/webhooks'), { url: 'https://8.8.8.8/' }, { key: limited.apiKey });
    expect((await patch({ alerts: 7 })).body).toMatchObject({
      quotas: { alerts: 7 },
      quota_defaults: { alerts: 500 },
    });
    expect((await patch({ webhooks: 1 })).body.quotas).toEqual({ alerts: 7, webhooks: 1 });
    expect((await addWebhook()).status).toBe(201);
    expect((await addWebhook()).body.code).toBe('quota_exceeded');
    expect((await patch({ webhooks: null })).body.quotas).toEqual({ alerts: 7 });
    expect((await addWebhook()).status).toBe(201);
    for (const bad of [{ webhooks: -1 }, { webhooks: 'many' }, { unknown: 1 }, { webhooks: 0.5 }])
      expect([bad, (await patch(bad)).status]).toEqual([bad, 400]);
  });

  it('names the known quotas when one is unknown', async () => {
    const { body } = await client.patch<Problem & { errors: object[] }>(
      of(await service.createWorkspace()),
      { quotas: { searches: 1 } },
      { headers },
    );
    expect(body.errors).toEqual([
      {
        field: 'quotas.searches',
        message: expect.stringMatching(
          /^Unknown field `searches`\. Allowed: pending_jobs, .*running_exports/,
        ) as string,
      },
    ]);
  });

  it('applies a changed quota of concurrent requests from the next request on', async () => {
    const limited = await service.createWorkspace();
    const key = limited.apiKey;
    const job = await client.post<{ id: string }>(limited.path('/jobs'), { target: 'x' }, { key });
    const ending = new AbortController();
    const follow = async (): Promise<number> => {
      const path = limited.path(`/jobs/${job.body.id}/events`);
      const { signal } = ending;
      return (await fetch(service.url + path, { headers: { 'X-API-Key': key }, signal })).status;
    };
    expect(await follow()).toBe(200);
    await client.patch(of(limited), { quotas: { event_streams: 1 } }, { headers });
    expect(await follow()).toBe(429);
    ending.abort();
  });

  it('suspends and resumes a workspace', async () => {
    const suspended = await service.createWorkspace();
    const patch = (body: object) => client.patch<Listed>(of(suspended), body, { headers });
    const look = () => client.get<Problem>(suspended.path('/jobs'), { key: suspended.apiKey });
    expect((await patch({ status: 'suspended', name: 'Renamed' })).body).toMatchObject({
      status: 'suspended',
      name: 'Renamed',
    });
    const refused = await look();
    expect([refused.status, refused.body.code]).toEqual([403, 'workspace_suspended']);
    expect((await patch({ status: 'deleting' })).status).toBe(400);
    await patch({ status: 'active' });
    expect((await look()).status).toBe(200);
  });

  it('recovers access when no key is left, whatever the quota, and revokes keys', async () => {
    const lost = await service.createWorkspace();
    await client.patch(of(lost), { quotas: { api_keys: 1 } }, { headers });
    const { status, body } = await client.post<{ id: string; key: string; scopes: string[] }>(
      `${of(lost)}/api-keys`,
      { name: 'New' },
      { headers },
    );
    expect([status, body.scopes]).toEqual([201, ['admin']]);
    const listed = await client.get<{ id: string; expires_at: null }[]>(`${of(lost)}/api-keys`, { headers });
    expect(listed.body.at(-1)).toMatchObject({ id: body.id, name: 'New', expires_at: null });
    expect(JSON.stringify(listed.body)).not.toContain(body.key);
    const look = () => client.get<Problem>(lost.path('/api-keys'), { key: body.key });
    expect((await look()).status).toBe(200);
    expect((await client.delete(`${of(lost)}/api-keys/${body.id}`, { headers })).status).toBe(200);
    expect((await look()).body.code).toBe('revoked_api_key');
  });

  it('answers 404 for what does not exist', async () => {
    const unknown = { workspaceId: UNKNOWN_ID };
    for (const answer of [
      await client.get(of(unknown), { headers }),
      await client.patch(of(unknown), { name: 'x' }, { headers }),
      await client.post(`${of(unknown)}/reset`, undefined, { headers }),
      await client.get(`${of(unknown)}/api-keys`, { headers }),
      await client.post(`${of(unknown)}/api-keys`, {}, { headers }),
      await client.delete(`${of(unknown)}/api-keys/${UNKNOWN_ID}`, { headers }),
    ])
      expect(answer.status).toBe(404);
  });
});
