import { SessionsService } from '../../../src/access/sessions/sessions.service.js';
import { Clock } from '../../../src/common/clock.js';
import { PROBLEM_STATUS, type ProblemCode } from '../../../src/http/problems/problem.js';
import { IDLE_MS, SESSION_MS } from '../../../src/http/request/session-cookie.js';
import { startTestApplication, type TestWorkspace } from '../../support/application.js';
import { call } from '../../support/client.js';
import { Contract } from '../../support/contract.js';
import { startPlainProvider } from '../../support/identity-providers.js';
import { CLIENT, PersonBrowser } from '../../support/person-browser.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const MINUTE_MS = 60_000;
/** How long the first key of a workspace is valid. */
const KEY_MS = 30 * MINUTE_MS;

const provider = await startPlainProvider(CLIENT);
const service = await startTestApplication({
  ADMIN_TOKEN: TOKEN,
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  PUBLIC_URL: CLIENT.publicUrl,
});
const clock = service.get(Clock);
const realNow = clock.now.bind(clock);
let ahead = 0;
clock.now = () => new Date(realNow().getTime() + ahead);

/** Two of each credential of a workspace, and a session of the second key and of the second member. */
const NAMES = [
  'key',
  'key 2',
  'session',
  'session of key',
  'session of key 2',
  'Ann',
  'Ann 2',
  'Bob',
] as const;
type Name = (typeof NAMES)[number];
const OF_KEY = ['key', 'session', 'session of key'] as const;
const SESSIONS = NAMES.filter((name) => !name.startsWith('key'));
/** By credential, its answer; "valid" where the request is let through. */
type Answers = Record<string, ProblemCode | 'valid'>;
const all = (names: readonly string[], code: ProblemCode): Answers =>
  Object.fromEntries(names.map((name) => [name, code]));

interface Held {
  headers: Record<string, string>;
  keyId: string;
  sessionId: string | null;
}

let workspace: TestWorkspace;
let keyIds: [string, string];
let members: Record<'Ann' | 'Bob', string>;
let held: Record<Name, Held>;
let link: string;

const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  fetch(service.url + path, {
    method,
    headers: { 'Content-Type': 'application/json', Origin: service.url, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const asAdmin = (method: 'DELETE' | 'PATCH', path: string, body?: object) =>
  call(service, workspace, method, path, body);
const asOperator = async (method: string, resource: string, body?: object) => {
  const path = `/api/v1/admin/workspaces/${workspace.workspaceId}${resource}`;
  expect((await send(method, path, { Authorization: `Bearer ${TOKEN}` }, body)).ok).toBe(true);
};

/** A session by its cookie. */
async function session(cookie: string): Promise<Held> {
  const headers = { Cookie: cookie };
  type Listed = { id: string; key_id: string; is_current: boolean }[];
  const listed = (await (await send('GET', workspace.path('/sessions'), headers)).json()) as Listed;
  const { id, key_id: keyId } = listed.find(({ is_current: isCurrent }) => isCurrent)!;
  return { headers, keyId, sessionId: id };
}
async function ofKey(key: string): Promise<Held> {
  const answer = await send('POST', '/api/v1/session', {}, { api_key: key });
  return session(answer.headers.get('set-cookie')!.split(';', 1)[0]!);
}
async function ofMember(email: string): Promise<Held> {
  provider.account = { email, isVerified: true };
  const browser = new PersonBrowser(service);
  await browser.open('/api/v1/session/oidc/begin');
  const value = browser.cookies.get(new URL(service.url).host)!.get('wss_session')!;
  return session(`wss_session=${value}`);
}

beforeEach(async () => {
  ahead = 0;
  workspace = await service.createWorkspace();
  const add = (path: string, body: object) =>
    call<{ id: string; key: string }>(service, workspace, 'POST', path, body);
  const of = { name: 'key', scopes: ['write'] };
  const first = await add('/api-keys', {
    ...of,
    expires_at: new Date(realNow().getTime() + KEY_MS).toISOString(),
  });
  const second = await add('/api-keys', of);
  keyIds = [first.id, second.id];
  const addMember = async (name: string) => {
    const email = `${name}-${workspace.workspaceId}@example.org`;
    return { id: (await add('/members', { email, role: 'editor' })).id, email };
  };
  const [ann, bob] = [await addMember('ann'), await addMember('bob')];
  members = { Ann: ann.id, Bob: bob.id };
  const keyed = (key: string, keyId: string) => ({ headers: { 'X-API-Key': key }, keyId, sessionId: null });
  held = {
    key: keyed(first.key, first.id),
    'key 2': keyed(second.key, second.id),
    session: await ofKey(first.key),
    'session of key': await ofKey(first.key),
    'session of key 2': await ofKey(second.key),
    Ann: await ofMember(ann.email),
    'Ann 2': await ofMember(ann.email),
    Bob: await ofMember(bob.email),
  };
  const made = await send('POST', '/api/v1/session/links', held.session.headers, {});
  link = ((await made.json()) as { token: string }).token;
});

/** Whether a request was let through: one without the fields that it needs, or one whose answer has no body. */
async function codeOf(answer: Promise<Response>): Promise<ProblemCode | 'valid'> {
  const { ok, text } = await answer.then(async (response) => ({
    ok: response.ok,
    text: await response.text(),
  }));
  const { code } = ok ? { code: null } : (JSON.parse(text) as { code: ProblemCode });
  return code === null || code === 'validation_failed' ? 'valid' : code;
}
/** The answers of all credentials to a request that changes something. */
async function answers(): Promise<Answers> {
  const found: Answers = {};
  for (const name of NAMES)
    found[name] = await codeOf(send('POST', workspace.path('/searches'), held[name].headers, {}));
  return found;
}
const valid = (): Answers => Object.fromEntries(NAMES.map((name) => [name, 'valid']));
const uuid = (id: string): string => id.replace(/^[a-z]+_/, '');
/** The credentials whose open streams go on. */
async function streaming(): Promise<string[]> {
  const sessions = service.get(SessionsService);
  const goOn = await Promise.all(
    NAMES.map((name) => {
      const { keyId, sessionId } = held[name];
      return sessions.isStillValid(workspace.workspaceId, uuid(keyId), sessionId && uuid(sessionId));
    }),
  );
  return NAMES.filter((_, at) => goOn[at]);
}
/** Lets time pass, in which all credentials are used every hour. */
async function useUntil(ms: number): Promise<void> {
  for (; ahead < ms; ahead = Math.min(ahead + IDLE_MS / 2, ms)) await answers();
}

/** Operations that end credentials, and other ends: those that they end, with their answers. All others stay valid. */
const ENDS: Record<string, { bring: () => Promise<unknown>; ends: Answers }> = {
  revokeApiKey: {
    bring: () => asAdmin('DELETE', `/api-keys/${keyIds[0]}`),
    ends: all([...OF_KEY, 'link'], 'revoked_api_key'),
  },
  revokeAdminApiKey: {
    bring: () => asOperator('DELETE', `/api-keys/${keyIds[1]}`),
    ends: all(['key 2', 'session of key 2'], 'revoked_api_key'),
  },
  'the expiry of a key': {
    bring: () => useUntil(KEY_MS),
    ends: { key: 'expired_api_key', ...all(['session', 'session of key', 'link'], 'invalid_session') },
  },
  deleteSession: {
    bring: () => send('DELETE', '/api/v1/session', held.session.headers),
    ends: all(['session', 'link'], 'invalid_session'),
  },
  endSession: {
    bring: () => asAdmin('DELETE', `/sessions/${held.session.sessionId}`),
    ends: all(['session', 'link'], 'invalid_session'),
  },
  'the end of all sessions of a key': {
    bring: () => send('DELETE', workspace.path('/sessions'), held.session.headers),
    ends: all(['session', 'session of key', 'link'], 'invalid_session'),
  },
  endAllSessions: {
    bring: () => asAdmin('DELETE', '/sessions'),
    ends: all([...SESSIONS, 'link'], 'invalid_session'),
  },
  removeMember: {
    bring: () => asAdmin('DELETE', `/members/${members.Ann}`),
    ends: all(['Ann', 'Ann 2'], 'invalid_session'),
  },
  updateMember: {
    bring: () => asAdmin('PATCH', `/members/${members.Ann}`, { role: 'reader' }),
    ends: all(['Ann', 'Ann 2'], 'insufficient_scope'),
  },
  updateAdminWorkspace: {
    bring: () => asOperator('PATCH', '', { status: 'suspended' }),
    ends: all([...NAMES, 'link'], 'workspace_suspended'),
  },
  deleteAdminWorkspace: {
    bring: () => asOperator('DELETE', ''),
    ends: all([...NAMES, 'link'], 'workspace_suspended'),
  },
};
/** Ends the session of an operator, not one of a workspace. */
const OTHER_DELETIONS = ['deleteAdminSession'];
/** Refusals of what was never valid, or of a request whatever its credential. */
const NO_ENDS = [
  ...['missing_api_key', 'invalid_api_key', 'missing_admin_token', 'invalid_admin_token'],
  ...['workspace_mismatch', 'cross_origin_request', 'quota_exceeded'],
];

describe('credentials', () => {
  it('have an end here for every operation that ends one, and for every refusal', () => {
    const ending = Contract.of(service).operations.filter(
      ({ method, path }) => method === 'delete' && /session|member|api-key|workspaces\/\{\w+\}$/.test(path),
    );
    const ids = ending.map(({ operation }) => operation.operationId!);
    expect(ids.filter((id) => !(id in ENDS) && !OTHER_DELETIONS.includes(id))).toEqual([]);
    const refusals = Object.entries(PROBLEM_STATUS).filter(([, status]) => status === 401 || status === 403);
    const known = new Set<string>([
      ...NO_ENDS,
      ...Object.values(ENDS).flatMap(({ ends }) => Object.values(ends)),
    ]);
    expect(refusals.map(([code]) => code).filter((code) => !known.has(code))).toEqual([]);
  });

  it.each(Object.keys(ENDS))('end with %s, and only the ones meant', async (name) => {
    const { bring, ends } = ENDS[name]!;
    const before = { ...valid(), link: 'valid' };
    expect([await answers(), await streaming()]).toEqual([valid(), [...NAMES]]);
    await bring();
    const redeemed = codeOf(send('POST', '/api/v1/session/links/redeem', {}, { token: link }));
    expect({ ...(await answers()), link: await redeemed }).toEqual({ ...before, ...ends });
    for (const name of ['key', 'key 2'] as const) {
      const signIn = send('POST', '/api/v1/session', {}, { api_key: held[name].headers['X-API-Key'] });
      expect([name, await codeOf(signIn)]).toEqual([name, ends[name] ?? 'valid']);
    }
    // Streams look for roles and suspensions by themselves.
    const isOver = (one: Name) => /invalid|revoked|expired/.test(ends[one] ?? '');
    expect(await streaming()).toEqual(NAMES.filter((one) => !isOver(one)));
  });
});

describe('a session', () => {
  const OF_FIRST_KEY: Answers = {
    key: 'expired_api_key',
    ...all(['session', 'session of key'], 'invalid_session'),
  };

  it('ends when it was not used for two hours, which each use begins again', async () => {
    ahead = IDLE_MS - MINUTE_MS;
    expect(await codeOf(send('POST', workspace.path('/searches'), held.Ann.headers, {}))).toBe('valid');
    ahead = 2 * IDLE_MS - 3 * MINUTE_MS;
    const unused = SESSIONS.filter((name) => name !== 'Ann');
    expect(await answers()).toEqual({ ...valid(), ...OF_FIRST_KEY, ...all(unused, 'invalid_session') });
  });

  it('ends twelve hours after it began, however often it is used', async () => {
    await useUntil(SESSION_MS - MINUTE_MS);
    expect(await answers()).toEqual({ ...valid(), ...OF_FIRST_KEY });
    ahead = SESSION_MS;
    expect(await answers()).toEqual({ ...valid(), ...OF_FIRST_KEY, ...all(SESSIONS, 'invalid_session') });
  });
});
