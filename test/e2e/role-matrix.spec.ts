import { SESSION_COOKIE } from '../../src/http/request/session-cookie.js';
import { MembersRepository } from '../../src/access/api-keys/members.repository.js';
import { SessionsService } from '../../src/access/sessions/sessions.service.js';
import { type Role, ROLES } from '../../src/access/members/member-roles.js';
import { startTestApplication } from '../support/application.js';
import { ContractClient, type ContractOperation } from '../support/contract.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** What a role may do, by the address and method of an operation: the first row that fits counts. */
const TABLE: { fits: (operation: ContractOperation) => boolean; mayCall: readonly Role[] }[] = [
  // It takes the operator's token in its body, which opens the others; no role does.
  { fits: posting(/^\/api\/v1\/admin\/session$/), mayCall: ROLES },
  { fits: at(/^\/api\/v1\/admin\//), mayCall: [] },
  { fits: at(/\/(members|audit)(\/|$)/), mayCall: ['owner'] },
  { fits: changing(/\/(api-keys|erasures|suppressions)(\/|$)/), mayCall: ['owner'] },
  { fits: deleting(/\/(posts|comments)\/\{\w+\}$/), mayCall: ['owner'] },
  // A lookup, a suggestion, and a person's own sessions and settings, change nothing of the workspace.
  { fits: at(/\/sources\/resolve$|\/queries\/suggest$|\/sessions?(\/|$)|\/me\//), mayCall: ROLES },
  { fits: changing(/^\/api\/v1\/workspaces\//), mayCall: ['editor', 'owner'] },
  { fits: at(/./), mayCall: ROLES },
];

function at(address: RegExp) {
  return ({ path }: ContractOperation): boolean => address.test(path);
}
function changing(address: RegExp) {
  return ({ path, method }: ContractOperation): boolean => method !== 'get' && address.test(path);
}
function posting(address: RegExp) {
  return ({ path, method }: ContractOperation): boolean => method === 'post' && address.test(path);
}
function deleting(address: RegExp) {
  return ({ path, method }: ContractOperation): boolean => method === 'delete' && address.test(path);
}

const mayCall = (role: Role, operation: ContractOperation): boolean =>
  TABLE.find(({ fits }) => fits(operation))!.mayCall.includes(role);

/** Answers to a caller who lacks the right. */
const REFUSALS = new Set([
  '403 insufficient_scope',
  // Below `/admin` a member has no credential at all.
  '401 missing_admin_token',
]);

const service = await startTestApplication({ ADMIN_TOKEN: 'token-of-the-operator-of-32-characters' });
const client = new ContractClient(service);
const workspace = await service.createWorkspace();

describe('the roles of members', () => {
  let operations: ContractOperation[];
  const members: Partial<Record<Role, { id: string; cookie: string }>> = {};

  beforeAll(async () => {
    operations = client.contract.operations;
    for (const role of ROLES) members[role] = await member(role);
  });

  /** A member who has signed in; see test/e2e/members.spec.ts for the sign-in at a provider. */
  async function member(role: Role, email = `${role}@example.org`): Promise<{ id: string; cookie: string }> {
    const admin = client.withKey(workspace.apiKey);
    const { body } = await admin.post<{ id: string }>(workspace.path('/members'), { email, role });
    const id = body.id.slice('member_'.length);
    const key = await service.get(MembersRepository).find(workspace.workspaceId, id);
    const browser = { address: '127.0.0.1', userAgent: undefined };
    const token = await service.get(SessionsService).begin({ key: key!, endsAt: null }, browser);
    return { id: body.id, cookie: `${SESSION_COOKIE}=${token}` };
  }

  /** Calls an operation without an effect: no resource has the id, and query and body are invalid. */
  async function attempt({ method, path }: ContractOperation, cookie: string): Promise<string> {
    const address = path.replace('{workspace_id}', 'current').replaceAll(/\{\w+\}/g, UNKNOWN_ID);
    const isReading = method === 'get' || method === 'delete';
    const response = await fetch(`${service.url}${address}?no_such_parameter=1`, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: service.url, 'Content-Type': 'application/json' },
      ...(!isReading && { body: '{"no_such_field":1}' }),
    });
    const text = await response.text();
    const { code } = /json/.test(response.headers.get('content-type') ?? '')
      ? (JSON.parse(text) as { code?: string })
      : {};
    return `${response.status} ${code ?? ''}`;
  }

  it.each(ROLES)('%s may call what the table says, of all operations', async (role) => {
    const expected: Record<string, boolean> = {};
    const found: Record<string, boolean> = {};
    for (const operation of operations) {
      const name = operation.operation.operationId!;
      expected[name] = mayCall(role, operation);
      found[name] = !REFUSALS.has(await attempt(operation, members[role]!.cookie));
    }
    expect(found).toEqual(expected);
    expect(Object.keys(found).length).toBeGreaterThan(120);
  });

  it('have the rights that the contract states as scopes', () => {
    const scopeOf = { read: 'reader', write: 'editor', admin: 'owner' } as const;
    for (const operation of operations) {
      const scope = operation.operation['x-required-scope'] as keyof typeof scopeOf | undefined;
      if (scope === undefined) continue;
      const allowed = ROLES.filter((role) => mayCall(role, operation));
      expect([operation.operation.operationId, allowed]).toEqual([
        operation.operation.operationId,
        ROLES.slice(ROLES.indexOf(scopeOf[scope])),
      ]);
    }
  });

  it('every row of the table fits an operation', () => {
    const used = new Set(operations.map((operation) => TABLE.findIndex(({ fits }) => fits(operation))));
    expect([...used].sort()).toEqual(TABLE.map((_, index) => index));
  });

  it('a removed member loses the session and an open stream within a minute', async () => {
    const { id, cookie } = await member('editor', 'leaver@example.org');
    const admin = client.withKey(workspace.apiKey);
    const job = await admin.post<{ id: string }>(workspace.path('/jobs'), { target: 'technology' });
    const get = (path: string) =>
      fetch(service.url + workspace.path(path), { headers: { Cookie: cookie, Origin: service.url } });
    const stream = await get(`/jobs/${job.body.id}/events`);
    expect(stream.status).toBe(200);
    await admin.delete(workspace.path(`/members/${id}`));
    expect((await get('/jobs')).status).toBe(401);
    // The fourth heartbeat would come after a minute.
    const heartbeats = (await stream.text()).match(/^event: heartbeat$/gm) ?? [];
    expect(heartbeats.length).toBeLessThan(4);
  });
});
