import { type Claims, NEEDED_CLAIMS } from '../../src/access/sign-on/verified-email.js';
import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { startPlainProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser as Browser } from '../support/person-browser.js';

const ANN = 'ann@example.org';
const COMPLETE: Claims = { email: ANN, email_verified: true };
const UNSTATED = [undefined, null, ''];
const WRONG = [false, 0, [ANN], {}];
const LET_IN = '/';
const UNVERIFIED = '/?problem=unverified';
const FAILED = '/?problem=failed';

const provider = await startPlainProvider(CLIENT, { hasUserInfo: true });
const service = await startTestApplication({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  PUBLIC_URL: CLIENT.publicUrl,
});

describe('a provider that divides claims between ID token and userinfo', () => {
  beforeAll(async () => {
    const workspace = await service.createWorkspace();
    await call(service, workspace, 'POST', '/members', { email: ANN, role: 'reader' });
  });

  const signIn = (idToken: object, userInfo: object): Promise<string> => {
    provider.account = { email: ANN, isVerified: true, divided: { idToken, userInfo } };
    return new Browser(service).open('/api/v1/session/oidc/begin');
  };

  it.each(Object.keys(NEEDED_CLAIMS))('refuses by %s unless it is stated without a doubt', async (name) => {
    const others = { ...COMPLETE, [name]: undefined };
    for (const value of UNSTATED) {
      const unstated = { ...others, [name]: value };
      expect([name, value, await signIn(unstated, {})]).toEqual([name, value, UNVERIFIED]);
      expect([name, value, await signIn(unstated, unstated)]).toEqual([name, value, UNVERIFIED]);
      expect([name, value, await signIn(unstated, COMPLETE)]).toEqual([name, value, LET_IN]);
      expect([name, value, await signIn({}, COMPLETE)]).toEqual([name, value, LET_IN]);
    }
    for (const value of WRONG) {
      const wrong = { ...others, [name]: value };
      expect([name, value, await signIn(wrong, COMPLETE)]).toEqual([name, value, UNVERIFIED]);
      // The service reads userinfo because the other claims are missing.
      expect([name, value, await signIn({ [name]: COMPLETE[name] }, wrong)]).toEqual([
        name,
        value,
        UNVERIFIED,
      ]);
    }
  });

  it.each(['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'])('refuses without a proper %s', async (name) => {
    for (const value of [undefined, null, false, '', [], {}])
      expect([name, value, await signIn({ ...COMPLETE, [name]: value }, {})]).toEqual([name, value, FAILED]);
  });

  it.each<[string, object, object, string]>([
    ['both in the ID token', COMPLETE, { sub: 'of another account' }, LET_IN],
    ['the verification as text', { email: ANN }, { email: ANN, email_verified: 'true' }, LET_IN],
    ['another address in userinfo', { email: ANN }, { ...COMPLETE, email: 'bob@example.org' }, UNVERIFIED],
    ['userinfo of another account', { email: ANN }, { ...COMPLETE, sub: 'other' }, FAILED],
    ['userinfo of no account', { email: ANN }, { ...COMPLETE, sub: null }, FAILED],
  ])('with %s', async (_case, idToken, userInfo, page) => {
    expect(await signIn(idToken, userInfo)).toBe(page);
  });

  it('gets its ID token of a person who signs out, once', async () => {
    provider.account = { email: ANN, isVerified: true };
    const browser = new Browser(service);
    const hintOfSignOut = async (): Promise<string | null> => {
      const response = await browser.request(new URL('/api/v1/session/oidc/sign-out', service.url));
      const address = new URL(response.headers.get('location')!);
      expect([address.origin, address.pathname]).toEqual([provider.issuer, '/end']);
      return address.searchParams.get('id_token_hint');
    };
    await browser.open('/api/v1/session/oidc/begin');
    expect((await browser.api('/session', 'DELETE')).status).toBe(204);
    const [, claims] = (await hintOfSignOut())!.split('.');
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({ email: ANN });
    expect(await hintOfSignOut()).toBeNull();
  });

  it('gets none that no cookie has room for', async () => {
    const many = { ...COMPLETE, groups: 'x'.repeat(5_000) };
    provider.account = { email: ANN, isVerified: true, divided: { idToken: many, userInfo: {} } };
    const browser = new Browser(service);
    expect(await browser.open('/api/v1/session/oidc/begin')).toBe(LET_IN);
    const response = await browser.request(new URL('/api/v1/session/oidc/sign-out', service.url));
    expect(response.headers.get('location')).not.toContain('id_token_hint');
  });
});
