import { DataSource } from 'typeorm';
import { Random } from '../../../src/sandbox/data/random.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { Contract } from '../../support/contract.js';

const HOUR_MS = 3_600_000;
const STEPS = 120;

/** Operations of operators, who hold no key that could end. */
const OF_OPERATORS = ['createAdminApiKey', 'createAdminSession', 'createAdminWorkspace'];

interface Credential {
  kind: 'key' | 'session' | 'link';
  value: string;
  id?: string;
}

describe('a credential made by one that ends', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let root: Credential & { id: string };
  let rootEnd: Date;

  const headersOf = ({ kind, value }: Credential): Record<string, string> =>
    kind === 'key' ? { 'X-API-Key': value } : { Cookie: `wss_session=${value}`, Origin: service.url };
  const post = (path: string, headers: object, body: object = {}) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const cookieOf = (response: Response): Credential[] => {
    const value = /^wss_session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
    return value === undefined ? [] : [{ kind: 'session', value }];
  };
  const madeKey = async (response: Response): Promise<Credential[]> => {
    const { id, key: value } = (await response.json()) as { id?: string; key?: string };
    return value === undefined || id === undefined ? [] : [{ kind: 'key', value, id }];
  };
  /** Half of the keys ask for an end far in the future. */
  const wish = (random: Random): object =>
    random.chance(0.5) ? {} : { expires_at: new Date(Date.now() + 24 * HOUR_MS).toISOString() };

  /** Every operation that makes a credential, with what it makes. */
  const WAYS: Record<string, (by: Credential, random: Random) => Promise<Credential[]>> = {
    createApiKey: async (by, random) =>
      by.kind === 'link'
        ? []
        : madeKey(
            await post(workspace.path('/api-keys'), headersOf(by), {
              ...{ name: 'made', scopes: ['admin'] },
              ...wish(random),
            }),
          ),
    rollApiKey: async (by, random) =>
      by.kind === 'link'
        ? []
        : madeKey(
            await post(workspace.path(`/api-keys/${by.id ?? root.id}/roll`), headersOf(by), {
              ...{ overlap_seconds: 600 },
              ...wish(random),
            }),
          ),
    createSession: async (by) =>
      by.kind === 'key' ? cookieOf(await post('/api/v1/session', {}, { api_key: by.value })) : [],
    createSignInLink: async (by) => {
      if (by.kind === 'link') return [];
      const { token } = (await (await post('/api/v1/session/links', headersOf(by))).json()) as {
        token?: string;
      };
      return token === undefined ? [] : [{ kind: 'link', value: token }];
    },
    switchWorkspace: async (by) =>
      by.kind === 'session'
        ? cookieOf(
            await post('/api/v1/session/workspace', headersOf(by), { workspace_id: workspace.workspaceId }),
          )
        : [],
    redeemSignInLink: async (by) =>
      by.kind === 'link' ? cookieOf(await post('/api/v1/session/links/redeem', {}, { token: by.value })) : [],
  };

  beforeAll(async () => {
    service = await startTestApplication({ API_RATE_LIMIT_PER_MINUTE: '0', QUOTA_API_KEYS: '0' });
    workspace = await service.createWorkspace();
    rootEnd = new Date(Date.now() + HOUR_MS);
    const [made] = await madeKey(
      await post(
        workspace.path('/api-keys'),
        { 'X-API-Key': workspace.apiKey },
        { name: 'root', scopes: ['admin'], expires_at: rootEnd.toISOString() },
      ),
    );
    root = { ...made!, id: made!.id! };
  });
  afterAll(() => service.close());

  it('is known for every operation of the contract that makes one', () => {
    const makes = Contract.of(service)
      .operations.filter(({ method, operation }) => method === 'post' && makesCredential(operation))
      .map(({ operation }) => operation.operationId!);
    expect(makes.sort()).toEqual([...Object.keys(WAYS), ...OF_OPERATORS].sort());
  });

  it.each([1, 2, 3])('does not outlive it in a walk over all operations (seed %i)', async (seed) => {
    const random = new Random(seed);
    const held: Credential[] = [root];
    const ways = Object.values(WAYS);
    for (let step = 0; step < STEPS; step += 1)
      held.push(...(await random.pick(ways)(random.pick(held), random)));
    expect(held.length).toBeGreaterThan(20);
    const [{ latest }] = await service.app.get(DataSource).query<[{ latest: Date }]>(
      `SELECT max(coalesce(expires_at, 'infinity')) AS latest FROM (
         SELECT expires_at FROM api_keys WHERE workspace_id = $1 AND is_active
           AND id <> (SELECT id FROM api_keys WHERE workspace_id = $1 ORDER BY created_at LIMIT 1)
         UNION ALL SELECT expires_at FROM sessions WHERE workspace_id = $1
         UNION ALL SELECT session_ends_at FROM sessions WHERE workspace_id = $1 AND parent_id IS NOT NULL) AS all_of_them`,
      [workspace.workspaceId],
    );
    expect(latest).toEqual(rootEnd);
  });
});

/** Whether an operation answers with a key or token, or sets a cookie. */
function makesCredential(operation: object): boolean {
  const { responses = {} } = operation as {
    responses?: Record<string, { description?: string; content?: object }>;
  };
  return Object.entries(responses).some(
    ([status, { description = '', content = {} }]) =>
      (status === '204' && description.includes('cookie')) ||
      (status === '201' &&
        /CreatedApiKeyDto|SignInLinkDto|CreatedWorkspaceDto|CreatedAdmin/.test(JSON.stringify(content))),
  );
}
