import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TestAssistant } from '../support/assistant.js';
import { Dashboard, signIn, violations } from './browser.js';

describe('the page on which a person gives an assistant access', () => {
  const dashboard = new Dashboard();
  /** The assistant, and a page of another site that leads or frames to the service. */
  let foreign: Server;
  let asked: URL[];
  let body: string;

  beforeAll(async () => {
    foreign = createServer((request, response) => {
      asked.push(new URL(request.url!, 'http://assistant'));
      response.setHeader('Content-Type', 'text/html').end(body);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => void (asked = []));
  afterAll(() => new Promise((resolve) => foreign.close(resolve)));

  const port = (): number => (foreign.address() as AddressInfo).port;
  async function begin(path = '/callback') {
    const assistant = new TestAssistant(dashboard.service);
    const redirect_uri = `http://127.0.0.1:${port()}${path}`;
    await assistant.register({ client_name: 'Assistant', redirect_uris: [redirect_uri] });
    const query = new URLSearchParams({ ...assistant.parameters, redirect_uri });
    return {
      assistant,
      redirect_uri,
      url: `${dashboard.service.url}/api/v1/oauth/authorize?${query.toString()}`,
    };
  }

  it('knows a browser that another site sends, and leads back to the assistant', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const visit = await dashboard.visit();
    await signIn(visit.page, workspace.apiKey);
    const { assistant, redirect_uri, url } = await begin();
    body = `<a href="${url.replaceAll('&', '&amp;')}">Connect</a>`;
    await visit.page.goto(`http://localhost:${port()}/`);
    await visit.page.getByRole('link', { name: 'Connect' }).click();
    await visit.page.getByRole('heading', { name: 'Give Assistant access?' }).waitFor();
    expect(await violations(visit.page)).toEqual([]);
    body = 'Connected';
    await visit.page.getByRole('button', { name: 'Allow' }).click();
    await visit.page.getByText('Connected').waitFor();
    const code = asked.find(({ pathname }) => pathname === '/callback')!.searchParams.get('code')!;
    expect((await assistant.exchange(code, { redirect_uri })).status).toBe(200);
    expect(visit.complaints).toEqual([]);
  });

  it('says how to sign in, and goes on afterwards', async () => {
    const workspace = await dashboard.service.createWorkspace();
    const { url } = await begin();
    const visit = await dashboard.visit(url);
    const [tab] = await Promise.all([
      visit.page.context().waitForEvent('page'),
      visit.page.getByRole('link', { name: 'Sign in to the dashboard' }).click(),
    ]);
    await signIn(tab, workspace.apiKey);
    await visit.page.getByRole('link', { name: 'Continue here' }).click();
    await visit.page.getByRole('button', { name: 'Allow' }).waitFor();
  });

  it('is shown in no frame', async () => {
    const visit = await dashboard.visit();
    const { url } = await begin();
    body = `<iframe src="${url.replaceAll('&', '&amp;')}"></iframe>`;
    await visit.page.goto(`http://127.0.0.1:${port()}/`);
    await expect(visit.page.frames()[1]!.getByRole('heading').count()).resolves.toBe(0);
    expect(visit.complaints.join()).toContain('frame-ancestors');
  });
});
