import { AuditRepository, type ListedEntry } from '../../../src/access/audit/audit.repository.js';
import { AuditService } from '../../../src/access/audit/audit.service.js';
import { JobsRepository } from '../../../src/collect/jobs/jobs.repository.js';
import { bodyOf, OPERATION_CASES } from '../../isolation/operation-cases.js';
import { startTestApplication } from '../../support/application.js';
import { ContractClient, type ContractOperation } from '../../support/contract.js';
import { startTwoWorkspaces } from '../../support/two-workspaces.js';

/** Operations that need only the scope `read`, and end credentials. */
const ENDING_CREDENTIALS = ['endSession', 'endAllSessions'];
/** Ids of records of the service, which entries name. */
const OWN_ID = /^[a-z]+_[\da-f-]{36}$/;
/** Ids that entries leave out. */
const IDS_OF_CONTENT = ['post_id', 'comment_id'];
const TOKEN = 'token-of-the-operator-of-32-characters';

const both = await startTwoWorkspaces();

describe('the audit log of the API', () => {
  let client: ContractClient;
  let changing: ContractOperation[];

  beforeAll(() => {
    client = new ContractClient(both.service);
    const last = [/^(delete|revoke|cancel)/, /^endAll/];
    const weight = ({ operation }: ContractOperation) =>
      last.findIndex((name) => name.test(operation.operationId!));
    changing = client.contract.operations
      .filter(({ method, path }) => method !== 'get' && path.startsWith('/api/v1/workspaces/{workspace_id}'))
      .sort((one, other) => weight(one) - weight(other));
  });

  const newest = async (limit = 200): Promise<ListedEntry[]> =>
    (await both.service.get(AuditService).list({ workspaceId: both.a.workspaceId }, { limit })).entries;

  async function send({ method, path, operation }: ContractOperation, key: string, query = {}) {
    const { own } = OPERATION_CASES[operation.operationId!]!;
    const ids = own.ids?.(both.a) ?? {};
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'workspace_id' ? both.a.workspaceId : ids[name]!,
    );
    const body = bodyOf(own, both.a);
    const headers = { 'Content-Type': typeof body === 'string' ? 'text/xml' : 'application/json' };
    const options = { key, query, ...(body && { body, headers }) };
    return { ids, answer: await client.call<{ id?: string }>(method.toUpperCase(), address, options) };
  }

  it('has one entry for each operation that changes something, no others', async () => {
    expect(changing.length).toBeGreaterThan(15);
    for (const one of changing) {
      const id = one.operation.operationId!;
      const before = await newest();
      const { answer, ids } = await send(one, both.a.apiKey);
      const added = (await newest()).filter((entry) => !before.some((other) => other.id === entry.id));
      const isRead = one.operation['x-required-scope'] === 'read' && !ENDING_CREDENTIALS.includes(id);
      if (isRead || id.startsWith('preview')) {
        expect([id, added]).toEqual([id, []]);
        continue;
      }
      const body = bodyOf(OPERATION_CASES[id]!.own, both.a);
      expect(added).toMatchObject([
        {
          action: id,
          actor: 'api_key',
          actorName: both.a.apiKey.slice(0, 11),
          ip: expect.stringContaining('127.0.0.1') as string,
          targetWorkspaceId: both.a.workspaceId,
          status: answer.status,
          fields: typeof body === 'string' ? [] : Object.keys(body ?? {}),
          requestId: answer.headers.get('x-request-id'),
        },
      ]);
      // An entry, being sealed, could not lose the id of erased content again.
      const named = Object.fromEntries(
        Object.entries(ids).filter(([name]) => !IDS_OF_CONTENT.includes(name)),
      );
      expect([id, added[0]!.resource]).toEqual([
        id,
        { ...named, ...(OWN_ID.test(String(answer.body?.id)) && { id: answer.body.id }) },
      ]);
    }
  });

  it('has none for refused requests', async () => {
    const before = (await newest()).map(({ id }) => id);
    for (const one of changing) {
      await send(one, both.b.apiKey);
      await send(one, both.a.apiKey, { no_such_parameter: 1 });
    }
    expect((await newest()).map(({ id }) => id)).toEqual(before);
  });

  it('has one entry for a request that is repeated under an idempotency key', async () => {
    const before = (await newest()).length;
    for (let n = 0; n < 2; n += 1)
      await client.post(
        both.a.path('/jobs'),
        { target: 'technology' },
        { key: both.a.apiKey, headers: { 'Idempotency-Key': 'audited-once' } },
      );
    expect((await newest()).length).toBe(before + 1);
  });

  it('refuses a change that it cannot record, and changes nothing', async () => {
    const repository = both.service.get(AuditRepository);
    const { insert } = repository;
    repository.insert = () => Promise.reject(new Error('disk full'));
    try {
      const names = async () =>
        (await client.get<{ name: string }[]>(both.a.path('/api-keys'), { key: both.a.apiKey })).body.map(
          ({ name }) => name,
        );
      const answer = await client
        .post(both.a.path('/api-keys'), { name: 'unrecorded' }, { key: both.a.apiKey })
        .catch((error: Error) => error.message);
      // The contract documents no 500.
      expect(answer).toMatch(/internal_error/);
      expect(await names()).not.toContain('unrecorded');
    } finally {
      repository.insert = insert;
    }
  });

  it('keeps the entry of a change that failed unexpectedly', async () => {
    const jobs = both.service.get(JobsRepository);
    const { insert } = jobs;
    jobs.insert = () => Promise.reject(new Error('disk full'));
    try {
      const answer = await client
        .post(both.a.path('/jobs'), { target: 'technology' }, { key: both.a.apiKey })
        .catch((error: Error) => error.message);
      expect(answer).toMatch(/internal_error/);
    } finally {
      jobs.insert = insert;
    }
    expect(await newest(1)).toMatchObject([{ action: 'createJob', status: 500 }]);
  });
});

const service = await startTestApplication({ ADMIN_TOKEN: TOKEN });

describe('the audit log of the admin API', () => {
  let client: ContractClient;
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const AT = '/api/v1/admin';

  interface Entry {
    action: string;
    actor: string;
    actor_name: string | null;
    workspace_id: string | null;
    status: number;
    fields: string[];
  }
  interface Page {
    entries: Entry[];
    cursor: string;
    has_more: boolean;
  }

  beforeAll(() => {
    client = new ContractClient(service);
  });

  it('names the workspace of each change, is filtered by it, and is paged', async () => {
    const made = await client.post<{ id: string }>(`${AT}/workspaces`, { name: 'Made' }, { headers });
    const { id } = made.body;
    const key = await client.post<{ id: string }>(`${AT}/workspaces/${id}/api-keys`, {}, { headers });
    await client.patch(`${AT}/workspaces/${id}`, { status: 'suspended' }, { headers });
    await client.delete(`${AT}/workspaces/${id}/api-keys/${key.body.id}`, { headers });
    await client.post(`${AT}/workspaces`, { name: 'Other' }, { headers });
    const seen: Entry[] = [];
    let pages = 0;
    for (let cursor = '', hasMore = true; hasMore; pages += 1) {
      const query = { workspace_id: id, limit: 2, cursor };
      const { body } = await client.get<Page>(`${AT}/audit`, { headers, query });
      seen.push(...body.entries);
      ({ cursor, has_more: hasMore } = body);
    }
    expect(seen.map(({ action, status, fields }) => [action, status, fields])).toEqual([
      ['revokeAdminApiKey', 200, []],
      ['updateAdminWorkspace', 200, ['status']],
      ['createAdminApiKey', 201, []],
      ['createAdminWorkspace', 201, ['name']],
    ]);
    // A page that is exactly filled by the last entry is the last one.
    expect(pages).toBe(2);
    const keysOnly = { workspace_id: id, actor: 'admin', action: 'createAdminApiKey' };
    const filtered = await client.get<Page>(`${AT}/audit`, { headers, query: keysOnly });
    expect(filtered.body.entries.map(({ action }) => action)).toEqual(['createAdminApiKey']);
    const byKeys = await client.get<Page>(`${AT}/audit`, {
      headers,
      query: { workspace_id: id, actor: 'api_key' },
    });
    expect(byKeys.body.entries).toEqual([]);
    for (const entry of seen)
      expect(entry).toMatchObject({ actor: 'admin', actor_name: null, workspace_id: id });
    const all = await client.get<Page>(`${AT}/audit`, { headers, query: { limit: 1 } });
    expect(all.body).toMatchObject({ entries: [{ action: 'createAdminWorkspace' }], has_more: true });
    const foreign = await client.get<{ code: string }>(`${AT}/audit`, {
      headers,
      query: { workspace_id: id, cursor: all.body.cursor },
    });
    expect(foreign.body.code).toBe('invalid_cursor');
    const otherList = await client.get<{ code: string }>(`${AT}/workspaces`, {
      headers,
      query: { cursor: all.body.cursor },
    });
    expect(otherList.body.code).toBe('invalid_cursor');
    const bad = await client.get(`${AT}/audit`, { headers, query: { workspace_id: 'x' } });
    expect(bad.status).toBe(400);
  });
});
