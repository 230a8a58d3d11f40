import { startTestApplication } from '../../support/application.js';
import { ContractClient, type ContractOperation } from '../../support/contract.js';

const SCOPES = ['read', 'write', 'admin'];
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const GARBAGE = `rp_${'a'.repeat(46)}`;

const service = await startTestApplication();
const client = new ContractClient(service);
const workspace = await service.createWorkspace();

describe('who may do what', () => {
  let guarded: ContractOperation[];
  let open: ContractOperation[];
  const keyOf: Record<string, string> = {};
  let revoked: string;

  beforeAll(async () => {
    const admin = client.withKey(workspace.apiKey);
    for (const scope of [...SCOPES, 'revoked']) {
      const { body } = await admin.post<{ id: string; key: string }>(workspace.path('/api-keys'), {
        name: scope,
        scopes: [scope === 'revoked' ? 'admin' : scope],
      });
      keyOf[scope] = body.key;
      if (scope === 'revoked') await admin.delete(workspace.path(`/api-keys/${body.id}`));
    }
    revoked = keyOf.revoked!;
    const operations = client.contract.operations.filter(({ path }) => !path.startsWith('/api/v1/admin/'));
    guarded = operations.filter(({ operation }) => operation['x-required-scope'] !== undefined);
    open = operations.filter(({ operation }) => operation['x-required-scope'] === undefined);
  });

  /**
   * Returns an operation's response to a key without changing anything: no resource has the id, and the body is
   * invalid.
   */
  async function attempt({ method, path }: ContractOperation, key: string | null) {
    const address = path.replace('{workspace_id}', workspace.workspaceId).replaceAll(/\{\w+\}/g, UNKNOWN_ID);
    const answer = await client.call<{ code?: string }>(method.toUpperCase(), address, {
      key,
      query: { no_such_parameter: 1 },
      ...(method !== 'get' && method !== 'delete' && { body: { no_such_field: 1 } }),
    });
    return `${answer.status} ${answer.body?.code}`;
  }

  /** The answer to the JSON body, which no operation accepts. */
  const refusalOf = ({ requestBody }: ContractOperation['operation']): string =>
    requestBody === undefined || 'application/json' in (requestBody as { content: object }).content
      ? '400 validation_failed'
      : '415 unsupported_media_type';

  async function outcomes(key: string | null): Promise<Record<string, string>> {
    const entries: [string, string][] = [];
    for (const one of guarded) entries.push([one.operation.operationId!, await attempt(one, key)]);
    return Object.fromEntries(entries);
  }

  const everywhere = (outcome: string) =>
    Object.fromEntries(guarded.map(({ operation }) => [operation.operationId!, outcome]));

  it('guards every operation of the API and nothing else', () => {
    expect(guarded.length).toBeGreaterThanOrEqual(22);
    // The address of a feed is its credential.
    const unguarded = open.filter(({ path }) => path.startsWith('/api/v1/workspaces'));
    expect(unguarded.filter(({ path }) => !path.includes('/feeds/'))).toEqual([]);
  });

  it('refuses every operation without a key', async () => {
    expect(await outcomes(null)).toEqual(everywhere('401 missing_api_key'));
  });

  it('refuses every operation with a key that never existed', async () => {
    expect(await outcomes(GARBAGE)).toEqual(everywhere('401 invalid_api_key'));
  });

  it('refuses every operation with a revoked key', async () => {
    expect(await outcomes(revoked)).toEqual(everywhere('401 revoked_api_key'));
  });

  it("accepts `current` for the key's own workspace", async () => {
    const named = await service.createWorkspace();
    const path = '/api/v1/workspaces/current/jobs';
    const { body } = await client.post(path, { target: 'technology' }, { key: named.apiKey });
    expect(body).toMatchObject({ workspace_id: `ws_${named.workspaceId}` });
    expect((await client.get(path, { key: keyOf.read })).body).toMatchObject({ total: 0 });
  });

  it('shows to which workspace a key belongs', async () => {
    const named = await service.createWorkspace('Named');
    const { body } = await client.get('/api/v1/workspace', { key: named.apiKey });
    expect(body).toEqual({
      workspace_id: `ws_${named.workspaceId}`,
      name: 'Named',
      status: 'active',
      scopes: ['admin'],
      key_prefix: named.apiKey.slice(0, 11),
    });
    const reader = await client.get('/api/v1/workspace', { key: keyOf.read });
    expect(reader.body).toMatchObject({ workspace_id: `ws_${workspace.workspaceId}`, scopes: ['read'] });
  });

  it.each(SCOPES)('lets a key with the scope "%s" do what the contract says', async (scope) => {
    const expected = Object.fromEntries(
      guarded.map(({ operation }) => [
        operation.operationId!,
        SCOPES.indexOf(scope) >= SCOPES.indexOf(String(operation['x-required-scope']))
          ? refusalOf(operation)
          : '403 insufficient_scope',
      ]),
    );
    expect(await outcomes(keyOf[scope]!)).toEqual(expected);
  });

  it('accepts a key as bearer token, and ignores it next to X-API-Key', async () => {
    const bearer = { Authorization: `Bearer ${workspace.apiKey}` };
    const path = workspace.path('/jobs');
    expect((await client.get(path, { headers: bearer })).status).toBe(200);
    expect((await client.get(path, { headers: bearer, key: GARBAGE })).status).toBe(401);
    expect((await client.get(path, { headers: { Authorization: 'Bearer something.else' } })).status).toBe(
      401,
    );
  });

  it('answers open operations without a key', async () => {
    // The others need a credential in their address or body.
    const credentials = /\/(?:session|feeds\/|notification-links\/|shared\/)/;
    for (const { method, path } of open.filter(({ path }) => !credentials.test(path)))
      expect((await client.call(method.toUpperCase(), path)).status).toBe(200);
  });
});
