import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Random } from '../../../src/sandbox/data/random.js';
import { domainOf } from '../../support/domains.js';
import { startTestApplication } from '../../support/application.js';
import { Contract } from '../../support/contract.js';
import { ROOT } from '../../support/doc-blocks.js';

const HOUR_MS = 3_600_000;
const STEPS = 200;

/** Operations of operators, who hold no key that could end. */
const OF_OPERATORS = ['createAdminApiKey', 'createAdminSession', 'createAdminWorkspace'];
/** Operations of people, whose sessions begin at the identity provider and end with their membership. */
const OF_ACCOUNTS = ['beginSignOn', 'completeSignOn', 'signOutOfIdentityProvider'];
/** Leads on to a page with the token that it was given. */
const WITHOUT_CREDENTIAL = ['beginUnsubscription'];
/** Operations that give access without showing a secret: an account signs in by itself. */
const WITHOUT_SECRET = ['createMember', 'updateMember'];

/** Files of modules that draw random bytes, and what for. What is new here may be a credential, which needs an end. */
const DRAWN = {
  'access/api-keys/key-format.ts': 'keys',
  'access/assistants/assistant-token.ts': 'tokens of assistants, which end with their key',
  'access/assistants/own-calls.ts': 'calls of a process to itself, as long as it runs',
  'access/members/members.service.ts': 'members, who have no key that could be sent',
  'access/operators/admin-access.ts': 'sessions of operators',
  'access/sessions/sessions.service.ts': 'sessions and links',
  'operate/mcp/tool-answer.ts': 'marks in a text, no credential',
  'takeout/feeds/feeds.service.ts': 'feeds',
  'takeout/trends/pinned-trends.service.ts': 'links to trends',
  'tenants/workspace-keys/workspace-keys.service.ts': 'keys that encrypt and never leave the service',
};

interface Credential {
  kind: 'key' | 'session' | 'link';
  value: string;
  id?: string;
}

const service = await startTestApplication({ API_RATE_LIMIT_PER_MINUTE: '0', QUOTA_API_KEYS: '0' });
const workspace = await service.createWorkspace();
const rootEnd = new Date(Date.now() + HOUR_MS);

describe('a credential made by one that ends', () => {
  let root: Credential & { id: string };
  let searchId: string;
  let pinId: string;
  let memberId: string;

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
  /** What has no end cannot be made by a credential that has one. */
  const refusedTo = async (by: Credential, method: string, path: string, body: object = {}) => {
    if (by.kind === 'link') return [];
    const headers = { 'Content-Type': 'application/json', ...headersOf(by) };
    const init = { method, headers, body: JSON.stringify(body) };
    const { status } = await fetch(service.url + workspace.path(path), init);
    // Sessions and keys that a later step replaced are refused as such.
    expect([401, 403]).toContain(status);
    return [];
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
    createFeed: (by) => refusedTo(by, 'POST', `/searches/${searchId}/feed`),
    createTrendLink: async (by) => {
      const path = workspace.path(`/trends/pins/${pinId}/link`);
      if (by.kind !== 'link') expect([201, 401, 403]).toContain((await post(path, headersOf(by))).status);
      return [];
    },
    createMember: (by) => refusedTo(by, 'POST', '/members', { email: 'new@example.org', role: 'owner' }),
    updateMember: (by) => refusedTo(by, 'PATCH', `/members/${memberId}`, { role: 'owner' }),
    redeemSignInLink: async (by) =>
      by.kind === 'link' ? cookieOf(await post('/api/v1/session/links/redeem', {}, { token: by.value })) : [],
  };

  beforeAll(async () => {
    const [made] = await madeKey(
      await post(
        workspace.path('/api-keys'),
        { 'X-API-Key': workspace.apiKey },
        { name: 'root', scopes: ['admin'], expires_at: rootEnd.toISOString() },
      ),
    );
    root = { ...made!, id: made!.id! };
    const idOf = async (path: string, body: object) => {
      const answer = await post(workspace.path(path), { 'X-API-Key': workspace.apiKey }, body);
      return ((await answer.json()) as { id: string }).id;
    };
    searchId = await idOf('/searches', { name: 'All' });
    pinId = await idOf('/trends/pins', {
      ...{ queries: [], of: 'posts', period: '7', interval: 'day', measure: 'count' },
    });
    memberId = await idOf('/members', { email: 'member@example.org', role: 'reader' });
  });

  it('is known for every operation of the contract that makes one', () => {
    const { document, operations } = Contract.of(service);
    const makes = operations
      .filter(({ operation }) => makesCredential(operation, document.components!.schemas!))
      .map(({ operation }) => operation.operationId!);
    const known = [...Object.keys(WAYS), ...OF_OPERATORS, ...OF_ACCOUNTS, ...WITHOUT_CREDENTIAL];
    expect(makes.sort()).toEqual(known.filter((id) => !WITHOUT_SECRET.includes(id)).sort());
  });

  it('is known for every file of a domain that draws a secret', () => {
    const source = join(ROOT, 'src');
    const drawing = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file) && domainOf(file) !== null)
      .filter((file) => /\brandomBytes\(|\bgetRandomValues\(/.test(readFileSync(join(source, file), 'utf8')));
    expect(drawing.sort()).toEqual(Object.keys(DRAWN).sort());
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
           AND id <> $2 AND id <> (SELECT id FROM api_keys WHERE workspace_id = $1 ORDER BY created_at LIMIT 1)
         UNION ALL SELECT expires_at FROM sessions WHERE workspace_id = $1
         UNION ALL SELECT session_ends_at FROM sessions WHERE workspace_id = $1 AND parent_id IS NOT NULL
         UNION ALL SELECT link_expires_at FROM pinned_trends WHERE workspace_id = $1 AND link_hash IS NOT NULL
         UNION ALL SELECT NULL FROM saved_searches WHERE workspace_id = $1 AND feed_token_hash IS NOT NULL
         ) AS all_of_them`,
      [workspace.workspaceId, memberId.replace(/^[a-z]+_/, '')],
    );
    expect(latest).toEqual(rootEnd);
  });
});

/** Whether an operation answers with a key, a token or a secret address, sets a cookie or leads a browser that it signs in. */
function makesCredential(operation: object, schemas: object): boolean {
  const { responses = {} } = operation as {
    responses?: Record<
      string,
      { description?: string; content?: Record<string, { schema?: { $ref?: string } }> }
    >;
  };
  return Object.entries(responses).some(
    ([status, { description = '', content = {} }]) =>
      status === '302' ||
      (/^2/.test(status) && /cookie .* set/.test(description)) ||
      (/^2/.test(status) &&
        Object.values(content).some(({ schema }) =>
          namesOf(schema?.$ref?.split('/').at(-1), schemas).some((name) =>
            /(^|_)(key|token|secret|password)$|_url$/.test(name),
          ),
        )),
  );
}

/** The fields of a schema. */
function namesOf(name: string | undefined, schemas: object): string[] {
  const schema = name === undefined ? undefined : (schemas as Record<string, { properties?: object }>)[name];
  return Object.keys(schema?.properties ?? {});
}
