import type { AddressInfo } from 'node:net';
import { createApplication } from '../../src/application.js';
import { ADMIN_SESSION_COOKIE } from '../../src/http/request/session-cookie.js';
import { Operators } from '../../src/access/operators/operators.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { startPlainProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser as Browser } from '../support/person-browser.js';
import { until } from '../support/until.js';

const [ANN, BOB] = ['ann@example.org', 'bob@example.org'];
const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';

const provider = await startPlainProvider(CLIENT);
const service = await startTestApplication({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_ADMIN_EMAILS: `${ANN},${BOB}`,
  PUBLIC_URL: CLIENT.publicUrl,
  ADMIN_TOKEN,
});

describe('operators who sign in with accounts', () => {
  let browser: Browser;

  beforeEach(() => void (browser = new Browser(service)));

  const signIn = (email: string, subject?: string): Promise<string> => {
    provider.account = { email, isVerified: true, ...(subject !== undefined && { subject }) };
    return browser.open('/api/v1/session/oidc/begin');
  };

  const admin = async <T>(path: string): Promise<{ body: T }> => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    const response = await fetch(`${service.url}/api/v1${path}`, { headers });
    return { body: (await response.json()) as T };
  };

  it('lose their session when the service starts without their address', async () => {
    await signIn(ANN);
    expect((await browser.api('/admin/overview')).status).toBe(200);
    const restarted = await createApplication({ ...service.environment, OIDC_ADMIN_EMAILS: [BOB] });
    try {
      await restarted.listen(0, '127.0.0.1');
      const { port } = restarted.getHttpServer().address() as AddressInfo;
      const cookie = browser.cookies.get(new URL(service.url).host)!.get(ADMIN_SESSION_COOKIE)!;
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/admin/overview`, {
        headers: { Cookie: `${ADMIN_SESSION_COOKIE}=${cookie}` },
      });
      expect(response.status).toBe(401);
    } finally {
      await restarted.close();
    }
  });

  it('are the first accounts with their addresses', async () => {
    expect(await signIn(BOB, 'the first')).toBe('/admin');
    browser = new Browser(service);
    expect(await signIn(BOB, 'another')).toBe('/?problem=not_invited');
    expect((await browser.api('/admin/session')).status).toBe(401);
    expect(await signIn(BOB, 'the first')).toBe('/admin');
  });

  it('are one account each, also when two sign in at once', async () => {
    const people = Array.from({ length: 8 }, (_, n) => ({
      email: 'eve@example.org',
      subject: `account ${n}`,
    }));
    const operators = service.get(Operators);
    const admitted = await Promise.all(people.map((person) => operators.bind(person)));
    expect(admitted.filter(Boolean)).toHaveLength(1);
    expect(await operators.bind(people[admitted.indexOf(true)]!)).toBe(true);
  });

  it('have an entry in the audit log when another account is refused', async () => {
    await signIn(BOB, 'the first');
    await signIn(BOB, 'another');
    const { body } = await admin<{ entries: object[] }>('/admin/audit?action=authenticate&limit=2');
    const failure = { action: 'authenticate', actor: 'anonymous' };
    expect(body.entries).toMatchObject([
      { ...failure, status: 401, resource: { reason: 'not_invited' } },
      { ...failure, status: 403, resource: { reason: 'other_account', operator: BOB } },
    ]);
  });

  it('are named in the entry of their sign-in', async () => {
    await signIn(ANN);
    await until(async () => {
      type Entries = { entries: { actor: string; actor_name: string }[] };
      const { body } = await admin<Entries>('/admin/audit?action=completeSignOn&limit=1');
      return body.entries[0]?.actor === 'admin' && body.entries[0].actor_name === ANN;
    });
  });

  it('remain members with another account, without the admin pages', async () => {
    await signIn(BOB, 'the first');
    const workspace = await service.createWorkspace();
    await call(service, workspace, 'POST', '/members', { email: BOB, role: 'reader' });
    browser = new Browser(service);
    expect(await signIn(BOB, 'another')).toBe('/');
    expect((await browser.api('/session')).status).toBe(200);
    expect((await browser.api('/admin/session')).status).toBe(401);
  });

  it('are released from an account that has no session from then on', async () => {
    await signIn(BOB, 'the first');
    const former = browser;
    browser = new Browser(service);
    await signIn(ANN);
    await service.get(Operators).unbind(BOB);
    expect((await former.api('/admin/session')).status).toBe(401);
    expect((await browser.api('/admin/session')).status).toBe(200);
    expect(await signIn(BOB, 'the second')).toBe('/admin');
    await service.get(Operators).unbind(BOB);
  });
});
