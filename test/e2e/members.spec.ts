import { DataSource } from 'typeorm';
import { jest } from '@jest/globals';
import { Clock } from '../../src/common/clock.js';
import { Problem } from '../../src/http/problems/problem.js';
import { RequestLimits } from '../../src/infrastructure/rate-limit/request-limits.js';
import { WorkspacesService } from '../../src/access/workspaces/workspaces.service.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { ServiceMailer } from '../../src/messages/channels/service-mailer.js';
import { AuditService } from '../../src/access/audit/audit.service.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import {
  startCertifiedProvider,
  startPlainProvider,
  type TestProvider,
} from '../support/identity-providers.js';
import { CLIENT, PersonBrowser as Browser } from '../support/person-browser.js';
import { SmtpReceiver } from '../support/receivers.js';
import { until } from '../support/until.js';

const OPERATOR = 'operator-kate@example.org';
/** Become k and å in lower case. */
const [KELVIN_SIGN, ANGSTROM_SIGN] = ['\u212a', '\u212b'];
const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';
const STATE = 's'.repeat(43);
const MINUTE_MS = 60_000;

const PROVIDERS = {
  'oidc-provider': startCertifiedProvider,
  'an issuer of another make': startPlainProvider,
};

describe.each(Object.entries(PROVIDERS))('signing in by %s', (_, start) => {
  let provider: TestProvider;
  let mails: SmtpReceiver;
  let service: TestApplication;
  let workspace: TestWorkspace;
  let browser: Browser;

  beforeAll(async () => {
    provider = await start(CLIENT);
    mails = await SmtpReceiver.start();
    service = await startTestApplication({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ADMIN_EMAILS: OPERATOR,
      PUBLIC_URL: CLIENT.publicUrl,
      ADMIN_TOKEN,
      SMTP_URL: mails.url,
      MAIL_FROM: 'service@example.org',
    });
  });
  afterAll(async () => {
    await service.close();
    await mails.close();
    await provider.close();
  });
  beforeEach(async () => {
    workspace = await service.createWorkspace('First');
    browser = new Browser(service);
  });

  const asAdmin = async <T>(method: string, path: string, body?: object, of = workspace) => {
    const response = await fetch(`${service.url}${of.path(path)}`, {
      method,
      headers: { 'X-API-Key': of.apiKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  };
  const add = async (email: string, role: string, to = workspace): Promise<string> =>
    (await asAdmin<{ id: string }>('POST', '/members', { email, role }, to)).body.id;
  const signIn = (
    email: string,
    path = '/session/oidc/begin',
    claims: Partial<TestProvider['account']> = {},
  ): Promise<string> => {
    provider.account = { email, isVerified: true, ...claims };
    return browser.open(`/api/v1${path}`);
  };

  it('begins a session with the scopes of the role', async () => {
    const id = await add('Editor@Example.org', 'editor');
    expect(await signIn('editor@example.org', '/session/oidc/begin?return_to=%2Ftrends%3Fx=1')).toBe(
      '/trends?x=1',
    );
    const { body } = await browser.api<object>('/session');
    expect(body).toEqual({
      workspace_id: `ws_${workspace.workspaceId}`,
      workspace_name: 'First',
      scopes: ['write'],
      key_prefix: 'editor@example.org',
    });
    const { body: members } = await asAdmin<object[]>('GET', '/members');
    expect(members).toEqual([
      { id, email: 'editor@example.org', role: 'editor', last_seen_at: expect.any(String) as string },
    ]);
    expect((await asAdmin<object[]>('GET', '/api-keys')).body).toHaveLength(1);
  });

  it('sends the invitation to the address', async () => {
    const email = `invited-${workspace.workspaceId}@example.org`;
    await add(email, 'reader');
    expect(mails.all.filter(({ to }) => to.includes(email))).toHaveLength(1);
    const again = await asAdmin('POST', '/members?view=full', { email, role: 'reader' });
    expect(again.body).toMatchObject({ email, invitation_refusal: null });
  });

  it('says why no invitation was sent', async () => {
    jest.spyOn(service.get(ServiceMailer), 'send').mockResolvedValueOnce('too many today');
    const body = { email: 'unsent@example.org', role: 'reader' };
    expect((await asAdmin('POST', '/members?view=full', body)).body).toMatchObject({
      invitation_refusal: 'too many today',
    });
  });

  it('says that the workspace is suspended', async () => {
    await add('suspended@example.org', 'reader');
    await service.get(WorkspacesService).update(workspace.workspaceId, { status: 'suspended' });
    await service.get(InactiveWorkspaces).refresh();
    expect(await signIn('suspended@example.org')).toBe('/?problem=suspended');
  });

  it.each([
    ['a person who is no member', 'stranger@example.org', true, 'not_invited'],
    ['an address that the provider has not verified', 'unverified@example.org', false, 'unverified'],
    [
      'an address that the provider does not call verified',
      'unverified@example.org',
      undefined,
      'unverified',
    ],
  ])('refuses %s', async (_case, email, isVerified, reason) => {
    await add('unverified@example.org', 'owner');
    expect(await signIn(email, undefined, { isVerified })).toBe(`/?problem=${reason}`);
    expect((await browser.api('/session')).status).toBe(401);
  });

  it.each([
    ['a Kelvin sign', 'kim@example.org', `${KELVIN_SIGN}im@example.org`],
    ['an Angstrom sign', 'åsa@example.org', `${ANGSTROM_SIGN}sa@example.org`],
    ['a long s', 'susi@example.org', 'su\u017fi@example.org'],
    ['a dotted capital I', 'ivo@example.org', '\u0130vo@example.org'],
    ['a full-width letter', 'leo@example.org', '\uff2ceo@example.org'],
    ['a combining accent', 'ren\u00e9@example.org', 'rene\u0301@example.org'],
  ])('keeps an address with %s apart from that of a member', async (_case, email, similar) => {
    await add(email, 'owner');
    // Identity providers restrict subjects to ASCII.
    const of = encodeURI(email);
    expect(await signIn(similar, undefined, { subject: `stranger to ${of}` })).toBe('/?problem=not_invited');
    expect(await signIn(email, undefined, { subject: of })).toBe('/');
  });

  it('invites an address beyond ASCII as it was written', async () => {
    const email = `${KELVIN_SIGN}ai-${workspace.workspaceId}@Example.org`;
    await add(email, 'reader');
    const { body } = await asAdmin<{ email: string }[]>('GET', '/members');
    expect(body.map((member) => member.email)).toEqual([email.replace('E', 'e')]);
    expect(mails.all.flatMap(({ to }) => to)).not.toContain(email.toLowerCase());
  });

  it('lets a member in whose ASCII letters differ in case', async () => {
    await add('Mixed.Case@Example.ORG', 'reader');
    expect(await signIn('mixed.CASE@example.org')).toBe('/');
  });

  it('refuses an answer to a sign-in that this browser has not begun', async () => {
    expect(await browser.open('/api/v1/session/oidc/callback?code=a&state=b')).toBe('/?problem=expired');
  });

  it('refuses an answer to a sign-in that another program claims to have begun', async () => {
    const begun = { state: STATE, nonce: 'c', verifier: 'd'.repeat(43), returnTo: 'https://evil.example/' };
    const cookie = Buffer.from(JSON.stringify(begun)).toString('base64url');
    browser.cookies.set(new URL(service.url).host, new Map([[`wss_sign_on_${STATE}`, cookie]]));
    expect(await browser.open(`/api/v1/session/oidc/callback?code=a&state=${STATE}`)).toBe(
      '/?problem=expired',
    );
  });

  it('counts a failed sign-in for its address, with one entry in the audit log', async () => {
    const failures = jest.spyOn(service.get(RequestLimits), 'countFailure');
    await signIn('stranger@example.org');
    expect(failures.mock.calls.map(([, failure]) => failure)).toEqual([{ code: 'not_invited', status: 401 }]);
    const newest = async () => (await service.get(AuditService).list({}, { limit: 9 })).entries;
    const [entry] = await newest();
    const failure = { action: 'authenticate', actor: 'anonymous', resource: { reason: 'not_invited' } };
    expect(entry).toMatchObject(failure);
    await until(
      async () => (await newest()).filter((one) => one.requestId === entry!.requestId).length === 1,
    );
  });

  it('refuses an address that has failed to sign in too often', async () => {
    const problem = new Problem('rate_limited', 'Too many requests without a valid key or token.');
    jest.spyOn(service.get(RequestLimits), 'countFailure').mockRejectedValueOnce(problem);
    const response = await browser.request(
      new URL('/api/v1/session/oidc/callback?code=a&state=b', service.url),
    );
    expect(response.status).toBe(429);
  });

  it('refuses an answer with another state', async () => {
    await browser.request(new URL('/api/v1/session/oidc/begin', service.url));
    expect(await browser.open(`/api/v1/session/oidc/callback?code=a&state=${STATE}`)).toBe(
      '/?problem=expired',
    );
  });

  it('leads to no other host', async () => {
    await add('editor@example.org', 'editor');
    const path = `/session/oidc/begin?return_to=${encodeURIComponent('//evil.example/x')}`;
    expect(await signIn('editor@example.org', path)).toBe('/');
  });

  it('lets no other account in that has got the address of a member', async () => {
    await add('shared@example.org', 'owner');
    await signIn('shared@example.org');
    provider.account = { email: 'shared@example.org', isVerified: true, subject: 'another person' };
    expect(await new Browser(service).open('/api/v1/session/oidc/begin')).toBe('/?problem=other_account');
  });

  it('switches between the workspaces of a person, and to no other', async () => {
    const second = await service.createWorkspace('Second');
    const foreign = await service.createWorkspace('Foreign');
    const email = `both-${workspace.workspaceId}@example.org`;
    await add(email, 'reader');
    await add(email, 'owner', second);
    await signIn(email);
    const { body } = await browser.api<{ workspace_name: string }[]>('/session/workspaces');
    expect(body.map(({ workspace_name }) => workspace_name).sort()).toEqual(['First', 'Second']);
    const move = (id: string) => browser.api('/session/workspace', 'POST', { workspace_id: id });
    // Of a session that has lasted for an hour, an hour less is left in every workspace.
    const database = service.app.get(DataSource);
    await database.query(`UPDATE sessions SET expires_at = expires_at - interval '1 hour'`);
    const ends = () =>
      database.query<object[]>('SELECT expires_at FROM sessions WHERE workspace_id = ANY ($1)', [
        [workspace.workspaceId, second.workspaceId],
      ]);
    const before = await ends();
    expect((await move(second.workspaceId)).status).toBe(204);
    expect((await browser.api<{ workspace_name: string }>('/session')).body.workspace_name).toBe('Second');
    expect(await ends()).toEqual(before);
    expect((await move(foreign.workspaceId)).status).toBe(404);
  });

  it('names the person in the audit log', async () => {
    const email = `audited-${workspace.workspaceId}@example.org`;
    await add(email, 'editor');
    await signIn(email);
    await browser.api(workspace.path('/searches').replace('/api/v1', ''), 'POST', { name: 'One', q: 'a' });
    const audit = await fetch(`${service.url}/api/v1/admin/audit?workspace_id=${workspace.workspaceId}`, {
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const { entries } = (await audit.json()) as { entries: { action: string; actor_name: string }[] };
    expect(entries.find(({ action }) => action === 'createSearch')?.actor_name).toBe(email);
  });

  it('lets operators into the admin pages', async () => {
    expect(await signIn(OPERATOR)).toBe('/admin');
    expect((await browser.api('/admin/session')).status).toBe(200);
  });

  it('keeps an address that only looks like that of an operator out of admin pages', async () => {
    const similar = OPERATOR.replace('k', KELVIN_SIGN);
    expect(await signIn(similar, undefined, { subject: 'a stranger' })).toBe('/?problem=not_invited');
    expect((await browser.api('/admin/session')).status).toBe(401);
  });

  it('leads out at the provider', async () => {
    provider.account = { email: 'editor@example.org', isVerified: true };
    const response = await browser.request(new URL('/api/v1/session/oidc/sign-out', service.url));
    expect(response.headers.get('location')).toMatch(/\/session\/end\?|example\/$/);
  });
});

describe('a provider that replaced its key', () => {
  it('signs people in with the new key a minute later', async () => {
    const provider = await startPlainProvider(CLIENT);
    const service = await startTestApplication({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      PUBLIC_URL: CLIENT.publicUrl,
    });
    const clock = service.get(Clock);
    try {
      provider.account = { email: 'stranger@example.org', isVerified: true };
      const signIn = () => new Browser(service).open('/api/v1/session/oidc/begin');
      expect(await signIn()).toBe('/?problem=not_invited');
      provider.rotate();
      expect(await signIn()).toBe('/?problem=failed');
      const later = new Date(clock.now().getTime() + 2 * MINUTE_MS);
      clock.now = () => later;
      expect(await signIn()).toBe('/?problem=not_invited');
    } finally {
      await service.close();
      await provider.close();
    }
  });
});

describe('a service without an identity provider', () => {
  it('says so, and has no such sign-in', async () => {
    const service = await startTestApplication();
    try {
      const get = (path: string) => fetch(`${service.url}/api/v1/session/oidc${path}`);
      expect(await (await get('')).json()).toEqual({ issuer: null });
      expect((await get('/begin')).status).toBe(404);
    } finally {
      await service.close();
    }
  });
});
