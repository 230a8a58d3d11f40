import type { AddressInfo } from 'node:net';
import { createApplication } from '../../src/application.js';
import { ADMIN_SESSION_COOKIE } from '../../src/http/session-cookie.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { startPlainProvider, type TestProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser as Browser } from '../support/person-browser.js';

const [ANN, BOB] = ['ann@example.org', 'bob@example.org'];
const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';

describe('operators who sign in with accounts', () => {
  let provider: TestProvider;
  let service: TestApplication;
  let browser: Browser;

  beforeAll(async () => {
    provider = await startPlainProvider(CLIENT);
    service = await startTestApplication({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ADMIN_EMAILS: `${ANN},${BOB}`,
      PUBLIC_URL: CLIENT.publicUrl,
      ADMIN_TOKEN,
    });
  });
  afterAll(async () => {
    await service.close();
    await provider.close();
  });
  beforeEach(() => void (browser = new Browser(service)));

  const signIn = (email: string, subject?: string): Promise<string> => {
    provider.account = { email, isVerified: true, ...(subject !== undefined && { subject }) };
    return browser.open('/api/v1/session/oidc/begin');
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
});
