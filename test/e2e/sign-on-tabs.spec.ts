import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';
import { startPlainProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser as Browser } from '../support/person-browser.js';

const ANN = 'ann@example.org';
const SIGN_ON_COOKIE = 'wss_sign_on_';

const provider = await startPlainProvider(CLIENT);
const service = await startTestApplication({
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  PUBLIC_URL: CLIENT.publicUrl,
});

describe('signing in by several tabs of a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    const workspace = await service.createWorkspace();
    await call(service, workspace, 'POST', '/members', { email: ANN, role: 'reader' });
    provider.account = { email: ANN, isVerified: true };
  });
  beforeEach(() => void (browser = new Browser(service)));

  /** Begins a sign-in in a tab; returns the address at the provider. */
  const begin = async (returnTo: string): Promise<string> => {
    const url = new URL('/api/v1/session/oidc/begin', service.url);
    url.searchParams.set('return_to', returnTo);
    return (await browser.request(url)).headers.get('location')!;
  };
  const cookies = (): string[] =>
    [...browser.cookies.get(new URL(service.url).host)!.keys()].filter((name) =>
      name.startsWith(SIGN_ON_COOKIE),
    );

  it('leads each tab to its page, in any order', async () => {
    const [first, second, third] = [await begin('/first'), await begin('/second'), await begin('/third')];
    expect(await browser.open(second)).toBe('/second');
    expect(await browser.open(first)).toBe('/first');
    expect(await browser.open(third)).toBe('/third');
    expect(cookies()).toEqual([]);
  });

  it('keeps the five sign-ins that began last', async () => {
    const tabs: string[] = [];
    for (let tab = 0; tab < 6; tab += 1) tabs.push(await begin(`/${tab}`));
    expect(cookies()).toHaveLength(5);
    expect(await browser.open(tabs[0]!)).toBe('/?problem=expired');
    expect(await browser.open(tabs[1]!)).toBe('/1');
    expect(await browser.open(tabs[5]!)).toBe('/5');
  });

  it('ends one sign-in by its answer, once', async () => {
    const [first, second] = [await begin('/first'), await begin('/second')];
    const answer = (await browser.request(new URL(first))).headers.get('location')!;
    const path = answer.replace(CLIENT.publicUrl, '');
    expect(await browser.open(path)).toBe('/first');
    expect(await browser.open(path)).toBe('/?problem=expired');
    expect(await browser.open(second)).toBe('/second');
  });

  it.each([
    ['a header', '%0d%0aSet-Cookie:%20a=b'],
    ['nothing', ''],
    ['2,000 characters', 'x'.repeat(2_000)],
  ])('refuses a state that is %s', async (_case, state) => {
    await begin('/first');
    expect(await browser.open(`/api/v1/session/oidc/callback?code=a&state=${state}`)).toBe(
      '/?problem=expired',
    );
    expect(cookies()).toHaveLength(1);
  });
});
