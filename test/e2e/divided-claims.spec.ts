import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { startPlainProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser as Browser } from '../support/person-browser.js';

const ANN = 'ann@example.org';
const VERIFIED = { email_verified: true };
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

  it.each<[string, object, object, string]>([
    ['the address in the ID token', { email: ANN }, VERIFIED, LET_IN],
    ['the address in userinfo', VERIFIED, { email: ANN }, LET_IN],
    ['both in userinfo', {}, { email: ANN, ...VERIFIED }, LET_IN],
    ['both in the ID token', { email: ANN, ...VERIFIED }, { sub: 'of another account' }, LET_IN],
    ['the verification as text', { email: ANN }, { email: ANN, email_verified: 'true' }, LET_IN],
    ['no verification', { email: ANN }, { email: ANN }, UNVERIFIED],
    ['an unverified address', { email: ANN, email_verified: false }, { email: ANN, ...VERIFIED }, UNVERIFIED],
    ['another address in userinfo', { email: ANN }, { email: 'bob@example.org', ...VERIFIED }, UNVERIFIED],
    ['userinfo of another account', { email: ANN }, { sub: 'other', ...VERIFIED }, FAILED],
  ])('with %s', async (_case, idToken, userInfo, page) => {
    provider.account = { email: ANN, isVerified: true, divided: { idToken, userInfo } };
    expect(await new Browser(service).open('/api/v1/session/oidc/begin')).toBe(page);
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
    const many = { email: ANN, ...VERIFIED, groups: 'x'.repeat(5_000) };
    provider.account = { email: ANN, isVerified: true, divided: { idToken: many, userInfo: {} } };
    const browser = new Browser(service);
    expect(await browser.open('/api/v1/session/oidc/begin')).toBe(LET_IN);
    const response = await browser.request(new URL('/api/v1/session/oidc/sign-out', service.url));
    expect(response.headers.get('location')).not.toContain('id_token_hint');
  });
});
