import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/common/clock.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { Pruner } from '../../src/infrastructure/pruning/pruner.js';
import { WorkspacesService } from '../../src/access/workspaces/workspaces.service.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { CALLBACK, cookieOf, TestAssistant, type Tokens } from '../support/assistant.js';
import { call } from '../support/client.js';
import { startPlainProvider } from '../support/identity-providers.js';
import { CLIENT, PersonBrowser } from '../support/person-browser.js';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const service = await startTestApplication();
const clock = service.get(Clock);
const realNow = clock.now.bind(clock);
let workspace: TestWorkspace;
let cookie: string;
let assistant: TestAssistant;

beforeEach(async () => {
  workspace = await service.createWorkspace('Home & <Garden>');
  cookie = await cookieOf(service, workspace.apiKey);
  assistant = new TestAssistant(service);
  await assistant.register();
});
afterEach(() => void (clock.now = realNow));

const later = (ms: number): void => {
  const time = new Date(clock.now().getTime() + ms);
  clock.now = () => time;
};
const refusalIn = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error?: string };
  return [response.status, error];
};
/** Whether the tokens still work: the access token at the tools, and the refresh token. */
const work = async ({ access_token, refresh_token }: Tokens): Promise<boolean[]> => {
  const { status } = await assistant.call(access_token);
  return [status === 200, (await assistant.refresh(refresh_token)).ok];
};
const keyOf = (scopes: string[], more: object = {}) =>
  call<{ id: string; key: string }>(service, workspace, 'POST', '/api-keys', { name: 'k', scopes, ...more });

describe('the way of an assistant to its tokens', () => {
  it('begins at the refusal of the tools, which names where to go on', async () => {
    const refused = await assistant.call(null);
    const metadata = `${service.url}/.well-known/oauth-protected-resource/mcp`;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}"`,
    ]);
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: `${service.url}/mcp`,
      authorization_servers: [service.url],
      scopes_supported: ['read', 'write'],
    });
    expect((await assistant.call('rpa_x')).headers.get('www-authenticate')).toContain(
      'error="invalid_token"',
    );
    const api = await fetch(service.url + workspace.path('/posts'));
    expect(api.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('shows the person who asks, where the answer goes and which rights it may have', async () => {
    await assistant.register({
      client_name: '<b>Evil</b>\u202e "x"',
      redirect_uris: ['https://assistant.example/back'],
    });
    const page = await assistant.ask(cookie, {
      redirect_uri: 'https://assistant.example/back',
      state: '"><b>',
    });
    const html = await page.text();
    expect(html).toContain('&lt;b&gt;Evil&lt;/b&gt; &quot;x&quot;');
    expect(html).toContain('<strong>assistant.example</strong>');
    expect(html).toContain('Home &amp; &lt;Garden&gt;');
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('\u202e');
    expect(html).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/assistant\.example; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('leads to a short access token for the tools alone, with the rights chosen', async () => {
    const page = await (await assistant.ask(cookie)).text();
    const answer = await assistant.decide(cookie, page, { access: 'read' });
    const location = new URL(answer.headers.get('location')!);
    expect([answer.status, location.origin + location.pathname]).toEqual([303, CALLBACK]);
    expect([location.searchParams.get('state'), location.searchParams.get('iss')]).toEqual([
      'a state',
      service.url,
    ]);
    const exchanged = await assistant.exchange(location.searchParams.get('code')!);
    const tokens = (await exchanged.json()) as Tokens;
    expect(exchanged.headers.get('cache-control')).toBe('no-store');
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read' });
    const listed = await (await assistant.call(tokens.access_token)).text();
    expect([listed.includes('search_posts'), listed.includes('start_scrape')]).toEqual([true, false]);
    for (const path of [workspace.path('/posts'), '/api/v1/session'])
      expect(
        (await fetch(service.url + path, { headers: { Authorization: `Bearer ${tokens.access_token}` } }))
          .status,
      ).toBe(401);
  });

  it('is no way to a session of a browser, nor is a sign-in link', async () => {
    const { access_token } = await assistant.connect(cookie);
    const [family] = access_token.slice('rpa_'.length).split('.');
    const link = await fetch(`${service.url}/api/v1/session/links`, {
      method: 'POST',
      headers: { 'X-API-Key': workspace.apiKey },
    });
    const { token } = (await link.json()) as { token: string };
    for (const value of [access_token, `assistant ${family}`, `sign-in link ${token}`]) {
      const headers = { Cookie: `wss_session=${value}` };
      expect((await fetch(`${service.url}/api/v1/session`, { headers })).status).toBe(401);
    }
  });

  it('lets tools call the API, and write only with that right', async () => {
    const tool = (name: string, input: object) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: input },
    });
    const textOf = async (scope: string, name: string, input: object) => {
      const { access_token } = await assistant.connect(cookie, { access: scope });
      return (await assistant.call(access_token, tool(name, input))).text();
    };
    expect(await textOf('read', 'search_posts', {})).toContain('total');
    expect(await textOf('read', 'start_scrape', { target: 'technology' })).toContain('not found');
    expect(await textOf('write', 'start_scrape', { target: 'technology' })).toContain('job_');
  });

  it('is that of the client of the SDK, which renews its tokens too', async () => {
    let asked: URL | undefined;
    const kept: { client?: object; tokens?: object; verifier?: string } = {};
    const provider = {
      redirectUrl: 'http://localhost:4321/back',
      clientMetadata: { client_name: 'SDK', redirect_uris: ['http://localhost:1/back'] },
      state: () => 'state of the SDK',
      clientInformation: () => kept.client,
      saveClientInformation: (client: object) => void (kept.client = client),
      tokens: () => kept.tokens,
      saveTokens: (tokens: object) => void (kept.tokens = tokens),
      redirectToAuthorization: (url: URL) => void (asked = url),
      saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
      codeVerifier: () => kept.verifier,
    } as unknown as OAuthClientProvider;
    const serverUrl = `${service.url}/mcp`;
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT');
    const page = await (await fetch(asked!, { headers: { Cookie: cookie } })).text();
    const answer = new URL((await assistant.decide(cookie, page, {})).headers.get('location')!);
    const authorizationCode = answer.searchParams.get('code')!;
    expect(await auth(provider, { serverUrl, authorizationCode })).toBe('AUTHORIZED');
    const first = kept.tokens as Tokens;
    expect(await auth(provider, { serverUrl })).toBe('AUTHORIZED');
    expect((kept.tokens as Tokens).refresh_token).not.toBe(first.refresh_token);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(serverUrl), { authProvider: provider }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_posts');
    await client.close();
  });

  it('asks a browser without a session to come once more, and then to sign in', async () => {
    const first = await (await assistant.ask(null)).text();
    const [, again] = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(first)!;
    const url = `${service.url}/api/v1/oauth/authorize${again!.replaceAll('&amp;', '&')}`;
    const second = await (await fetch(url)).text();
    expect([second.includes('http-equiv'), second.includes('Sign in to the dashboard')]).toEqual([
      false,
      true,
    ]);
    expect(await (await fetch(url, { headers: { Cookie: cookie } })).text()).toContain('value="allow"');
  });

  it('ends with a refusal when the person refuses', async () => {
    const page = await (await assistant.ask(cookie)).text();
    const { headers } = await assistant.decide(cookie, page, { decision: 'deny' });
    const answer = new URL(headers.get('location')!).searchParams;
    expect([answer.get('error'), answer.get('state'), answer.get('code')]).toEqual([
      'access_denied',
      'a state',
      null,
    ]);
  });

  it('keeps no token in the database', async () => {
    const { access_token, refresh_token } = await assistant.connect(cookie);
    const rows = await service.app
      .get(DataSource)
      .query<{ text: string }[]>('SELECT sessions::text AS text FROM sessions');
    for (const part of [access_token, refresh_token].flatMap((token) => token.slice(4).split('.')))
      expect(rows.some(({ text }) => text.includes(part))).toBe(false);
  });
});

describe('a registration', () => {
  it.each([
    [['javascript:alert(1)']],
    [['http://assistant.example/back']],
    [['https://assistant.example/#back']],
    [['https://user@assistant.example/']],
    [['cursor://back']],
    [['http://127.0.0.1.example/back']],
    [['https://assistant.example/\\back']],
    [[`https://assistant.example/${'x'.repeat(300)}`]],
    [[CALLBACK, 'data:text/html,x']],
  ])('of %j is refused', async (redirect_uris) => {
    expect(await refusalIn(await assistant.register({ redirect_uris }))).toEqual([
      400,
      'invalid_redirect_uri',
    ]);
  });

  it.each([
    [{}],
    [{ redirect_uris: [] }],
    [{ redirect_uris: Array.from({ length: 6 }, () => CALLBACK) }],
    [[]],
  ])('%j is refused', async (metadata) => {
    expect(await refusalIn(await assistant.register(metadata))).toEqual([400, 'invalid_client_metadata']);
  });
});

describe('a request for access', () => {
  it.each([
    ['another path', { redirect_uri: `${CALLBACK}/x` }],
    ['another query', { redirect_uri: `${CALLBACK}?x=1` }],
    ['another loopback host', { redirect_uri: CALLBACK.replace('127.0.0.1', 'localhost') }],
    ['another scheme', { redirect_uri: CALLBACK.replace('http', 'https') }],
    ['a stranger', { redirect_uri: 'https://evil.example/callback' }],
    ['an unknown client', { client_id: 'x' }],
    ['another text as client', { client_id: 'v1.00000000.AAAA.AAAA' }],
  ])('to %s is answered without any link', async (_case, changed) => {
    const answer = await assistant.ask(cookie, changed);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).not.toContain('href');
  });

  it('may come with another port of the own machine', async () => {
    const answer = await assistant.ask(cookie, { redirect_uri: 'http://127.0.0.1:50123/callback' });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['without PKCE', { code_challenge: '' }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['with a long state', { state: 'x'.repeat(1_001) }, 'invalid_request'],
  ])('%s leads back only by a link', async (_case, changed, error) => {
    const answer = await assistant.ask(cookie, changed);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.text()).toContain(`href="${CALLBACK}?error=${error}&amp;`);
  });

  it('is granted by no page of another host', async () => {
    const page = await (await assistant.ask(cookie)).text();
    expect((await assistant.decide(cookie, page, {}, 'https://evil.example')).status).toBe(403);
    expect((await assistant.decide(cookie, page, {}, 'null')).status).toBe(403);
    expect((await assistant.decide('', page, {})).status).toBe(401);
  });

  it('is granted in no foreign workspace, and with no more rights than its own', async () => {
    const other = await service.createWorkspace();
    const page = await (await assistant.ask(cookie)).text();
    expect((await assistant.decide(cookie, page, { workspace: other.workspaceId })).status).toBe(404);
    expect((await assistant.decide(cookie, page, { access: 'admin' })).status).toBe(400);
    const reader = await cookieOf(service, (await keyOf(['read'])).key);
    expect((await assistant.connect(reader, { access: 'write' })).scope).toBe('read');
    expect((await assistant.connect(cookie, { access: 'write', scope: 'read' })).scope).toBe('read');
    expect((await assistant.connect(cookie, { access: 'write' })).scope).toBe('read write');
  });
});

describe('an authorization code', () => {
  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['a short verifier', { code_verifier: 'x' }],
    ['another redirect', { redirect_uri: `${CALLBACK}/x` }],
    ['another port', { redirect_uri: CALLBACK.replace('7777', '7778') }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])('with %s is refused, and ends', async (_case, changed) => {
    const code = await assistant.codeFrom(cookie);
    expect(await refusalIn(await assistant.exchange(code, changed))).toEqual([400, 'invalid_grant']);
    expect(await refusalIn(await assistant.exchange(code))).toEqual([400, 'invalid_grant']);
  });

  it('of another client is refused', async () => {
    const code = await assistant.codeFrom(cookie);
    const other = new TestAssistant(service);
    await other.register();
    expect(await refusalIn(await other.exchange(code, { code_verifier: assistant.verifier }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  it('is no refresh token, which needs no verifier', async () => {
    const code = await assistant.codeFrom(cookie);
    for (const text of [code, code.replace('rpc_', 'rpr_')])
      expect(await refusalIn(await assistant.refresh(text))).toEqual([400, 'invalid_grant']);
  });

  it('used twice ends what it gave', async () => {
    const code = await assistant.codeFrom(cookie);
    const tokens = (await (await assistant.exchange(code)).json()) as Tokens;
    expect(await refusalIn(await assistant.exchange(code))).toEqual([400, 'invalid_grant']);
    expect(await work(tokens)).toEqual([false, false]);
  });

  it('gives tokens to one of two at once, and the second ends them', async () => {
    const code = await assistant.codeFrom(cookie);
    const answers = await Promise.all([assistant.exchange(code), assistant.exchange(code)]);
    expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    for (const answer of answers)
      if (answer.ok) expect(await work((await answer.json()) as Tokens)).toEqual([false, false]);
  });

  it('ends after a minute', async () => {
    const code = await assistant.codeFrom(cookie);
    later(MINUTE_MS);
    expect(await refusalIn(await assistant.exchange(code))).toEqual([400, 'invalid_grant']);
  });

  it.each([
    [{ client_id: 'x' }, [401, 'invalid_client']],
    [{ grant_type: 'client_credentials' }, [400, 'unsupported_grant_type']],
    [{ grant_type: 'refresh_token' }, [400, 'invalid_request']],
  ])('sent with %j is refused, and still works', async (changed, refusal) => {
    const code = await assistant.codeFrom(cookie);
    expect(await refusalIn(await assistant.exchange(code, changed))).toEqual(refusal);
    expect((await assistant.exchange(code)).ok).toBe(true);
  });
});

describe('the tokens of an assistant', () => {
  it('are replaced by each renewal, and a used refresh token ends the newer ones', async () => {
    const first = await assistant.connect(cookie);
    const second = (await (await assistant.refresh(first.refresh_token)).json()) as Tokens;
    expect((await assistant.call(first.access_token)).status).toBe(401);
    expect((await assistant.call(second.access_token)).status).toBe(200);
    expect(await refusalIn(await assistant.refresh(first.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await work(second)).toEqual([false, false]);
  });

  it('belong to their client and resource', async () => {
    const { refresh_token } = await assistant.connect(cookie);
    const wrong = await assistant.refresh(refresh_token, { resource: 'https://other.example/mcp' });
    expect(await refusalIn(wrong)).toEqual([400, 'invalid_target']);
    const other = new TestAssistant(service);
    await other.register();
    expect(await refusalIn(await other.refresh(refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await refusalIn(await assistant.refresh(refresh_token))).toEqual([400, 'invalid_grant']);
  });

  it('are for the address that they were asked for', async () => {
    const { access_token } = await assistant.connect(cookie);
    const { port } = new URL(service.url);
    const answer = await fetch(`http://localhost:${port}/mcp`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}` },
    });
    expect(answer.status).toBe(401);
  });

  it('end: an access token after an hour, the rest after 30 days unused or 90 days', async () => {
    let tokens = await assistant.connect(cookie);
    later(60 * MINUTE_MS);
    expect((await assistant.call(tokens.access_token)).status).toBe(401);
    for (const days of [29, 29, 29]) {
      later(days * DAY_MS);
      const renewed = await assistant.refresh(tokens.refresh_token);
      expect(renewed.status).toBe(200);
      tokens = (await renewed.json()) as Tokens;
    }
    later(3 * DAY_MS);
    expect(await refusalIn(await assistant.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    clock.now = realNow;
    const unused = await assistant.connect(cookie);
    later(30 * DAY_MS);
    expect(await work(unused)).toEqual([false, false]);
  });

  it('are no more than 20 of a key, and expired ones are removed', async () => {
    const first = await assistant.connect(cookie);
    for (let number = 0; number < 20; number += 1) await assistant.codeFrom(cookie);
    expect(await work(first)).toEqual([false, false]);
    later(2 * MINUTE_MS);
    const pruner = service.get(Pruner);
    while (await pruner.work());
    const [{ left }] = await service.app
      .get(DataSource)
      .query<[{ left: number }]>(
        `SELECT count(*)::int AS left FROM sessions WHERE workspace_id = $1 AND kind = 'assistant'`,
        [workspace.workspaceId],
      );
    expect(left).toBe(0);
  });

  it('are listed as a session, ended like one, and in the history', async () => {
    const tokens = await assistant.connect(cookie);
    const sessions = await call<{ id: string; user_agent: string }[]>(service, workspace, 'GET', '/sessions');
    const listed = sessions.filter(({ user_agent }) => user_agent.startsWith('Assistant: '));
    expect(listed.map(({ user_agent }) => user_agent)).toEqual(['Assistant: Test (read)']);
    await call(service, workspace, 'DELETE', `/sessions/${listed[0]!.id}`);
    expect(await work(tokens)).toEqual([false, false]);
    const { entries } = await call<{ entries: { action: string; record_name: string | null }[] }>(
      service,
      workspace,
      'GET',
      '/audit',
    );
    expect(entries.map((one) => [one.action, one.record_name])).toContainEqual(['grantAssistant', 'Test']);
  });

  it('end with the revocation of their key, and rest during a suspension', async () => {
    const key = await keyOf(['write'], { expires_at: new Date(Date.now() + DAY_MS).toISOString() });
    const its = await cookieOf(service, key.key);
    const [revoked, suspended] = [await assistant.connect(its), await assistant.connect(cookie)];
    await call(service, workspace, 'DELETE', `/api-keys/${key.id}`);
    expect(await work(revoked)).toEqual([false, false]);
    await service.get(WorkspacesService).update(workspace.workspaceId, { status: 'suspended' });
    await service.get(InactiveWorkspaces).refresh();
    expect((await assistant.call(suspended.access_token)).status).toBe(403);
    expect(await work(suspended)).toEqual([false, false]);
    await service.get(WorkspacesService).update(workspace.workspaceId, { status: 'active' });
    await service.get(InactiveWorkspaces).refresh();
    expect(await work(suspended)).toEqual([true, true]);
  });

  it('end when their key ends', async () => {
    const key = await keyOf(['read'], { expires_at: new Date(Date.now() + DAY_MS).toISOString() });
    const tokens = await assistant.connect(await cookieOf(service, key.key));
    later(DAY_MS);
    expect(await work(tokens)).toEqual([false, false]);
  });
});

describe('a revocation', () => {
  it('is named in the metadata', async () => {
    const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({
      revocation_endpoint: `${service.url}/api/v1/oauth/revoke`,
      revocation_endpoint_auth_methods_supported: ['none'],
    });
  });

  it.each(['access_token', 'refresh_token'] as const)('of the %s ends the whole access', async (which) => {
    const tokens = await assistant.connect(cookie);
    const other = await assistant.connect(cookie);
    expect((await assistant.revoke(tokens[which], { token_type_hint: 'other' })).status).toBe(200);
    expect(await work(tokens)).toEqual([false, false]);
    expect(await work(other)).toEqual([true, true]);
  });

  it('of former tokens, or of no token, succeeds and ends nothing', async () => {
    const first = await assistant.connect(cookie);
    const second = (await (await assistant.refresh(first.refresh_token)).json()) as Tokens;
    const code = await assistant.codeFrom(cookie);
    const others = [
      first.access_token,
      first.refresh_token,
      'x',
      '',
      `rpr_${second.access_token.slice(4)}`,
      code,
    ];
    for (const token of others) {
      const answer = await assistant.revoke(token);
      expect([token, answer.status, await answer.json()]).toEqual([token, 200, {}]);
    }
    expect(await work(second)).toEqual([true, true]);
    expect((await assistant.exchange(code)).ok).toBe(true);
  });

  it('by another client, or without client or token, is refused', async () => {
    const tokens = await assistant.connect(cookie);
    const other = new TestAssistant(service);
    await other.register();
    const refusals = [
      await other.revoke(tokens.refresh_token),
      await other.revoke(tokens.access_token),
      await assistant.revoke(tokens.access_token, { client_id: 'x' }),
      await assistant.token({}, 'revoke'),
    ];
    expect(await Promise.all(refusals.map(refusalIn))).toEqual([
      [400, 'invalid_grant'],
      [400, 'invalid_grant'],
      [401, 'invalid_client'],
      [400, 'invalid_request'],
    ]);
    expect(await work(tokens)).toEqual([true, true]);
  });
});

describe('an assistant that is described by a document', () => {
  const ID = 'https://app.example/client.json';
  const outbound = service.get(OutboundHttpClient);
  const guarded = outbound.request.bind(outbound);
  let asked: string[];

  beforeEach(() => {
    asked = [];
    assistant.clientId = ID;
    outbound.request = ({ url }) => {
      asked.push(url);
      const document = { client_id: url, client_name: 'App <b>', redirect_uris: [CALLBACK] };
      const body = Buffer.from(JSON.stringify(document));
      return Promise.resolve({ status: 200, headers: {}, url, body, truncated: false, durationMs: 1 });
    };
  });
  afterEach(() => void (outbound.request = guarded));

  it('gets its access, and the person sees its host', async () => {
    const html = await (await assistant.ask(cookie)).text();
    expect(html).toContain('App &lt;b&gt;, described by <strong>app.example</strong>, asks');
    expect(html).toContain('Any program on this computer can say that app.example describes it.');
    const tokens = await assistant.connect(cookie);
    expect(await work(tokens)).toEqual([true, true]);
    const renewing = await assistant.connect(cookie);
    expect(await refusalIn(await assistant.refresh(renewing.refresh_token, { client_id: `${ID}5` }))).toEqual(
      [400, 'invalid_grant'],
    );
  });

  it('is that of the client of the SDK', async () => {
    let asking: URL | undefined;
    const provider = {
      ...{ redirectUrl: CALLBACK, clientMetadataUrl: ID, clientMetadata: { redirect_uris: [CALLBACK] } },
      ...{
        clientInformation: () => undefined,
        saveClientInformation: () => undefined,
        tokens: () => undefined,
      },
      ...{ redirectToAuthorization: (url: URL) => void (asking = url), saveCodeVerifier: () => undefined },
    } as unknown as OAuthClientProvider;
    expect(await auth(provider, { serverUrl: `${service.url}/mcp` })).toBe('REDIRECT');
    expect(asking!.searchParams.get('client_id')).toBe(ID);
    expect(await (await fetch(asking!, { headers: { Cookie: cookie } })).text()).toContain('value="allow"');
  });

  it('makes the service fetch nothing for a stranger', async () => {
    assistant.clientId = 'https://app.example/unseen.json';
    expect(await (await assistant.ask(null)).text()).toContain('Sign in');
    const page = await (await assistant.ask(cookie)).text();
    expect(asked).toEqual([assistant.clientId]);
    assistant.clientId = 'https://app.example/other.json';
    const forged = page.replaceAll('unseen.json', 'other.json');
    expect((await assistant.decide('', forged, {})).status).toBe(401);
    expect(await refusalIn(await assistant.refresh('x'))).toEqual([400, 'invalid_grant']);
    expect(asked).toHaveLength(1);
  });

  it('is refused at an address that is not public', async () => {
    outbound.request = guarded;
    assistant.clientId = 'https://127.0.0.1/client.json';
    const answer = await assistant.ask(cookie);
    const html = await answer.text();
    expect([answer.status, html.includes('must point to a public address'), html.includes('href')]).toEqual([
      400,
      true,
      false,
    ]);
  });
});

describe('an assistant of a member', () => {
  const ANN = 'ann@example.org';
  let ofMembers: TestApplication;
  let browser: PersonBrowser;
  let first: TestWorkspace;
  let memberId: string;
  let cookieOfAnn: string;

  beforeAll(async () => {
    const provider = await startPlainProvider(CLIENT);
    provider.account = { email: ANN, isVerified: true };
    ofMembers = await startTestApplication({
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      PUBLIC_URL: CLIENT.publicUrl,
    });
  });
  beforeEach(async () => {
    first = await ofMembers.createWorkspace('First');
    memberId = await add(first, 'editor');
    browser = new PersonBrowser(ofMembers);
    await browser.open('/api/v1/session/oidc/begin');
    await browser.api('/session/workspace', 'POST', { workspace_id: first.workspaceId });
    const jar = browser.cookies.get(new URL(ofMembers.url).host)!;
    cookieOfAnn = `wss_session=${jar.get('wss_session')}`;
    assistant = new TestAssistant(ofMembers, CLIENT.publicUrl);
  });
  const add = async (to: TestWorkspace, role: string): Promise<string> =>
    (await call<{ id: string }>(ofMembers, to, 'POST', '/members', { email: ANN, role })).id;

  it('works in the workspace that the person chose of theirs', async () => {
    const second = await ofMembers.createWorkspace('Second');
    await add(second, 'reader');
    const choice = { workspace: second.workspaceId, access: 'write' };
    const { access_token, scope } = await assistant.connect(cookieOfAnn, choice);
    expect(scope).toBe('read');
    expect((await assistant.call(access_token)).status).toBe(200);
    const sessions = await call<{ user_agent: string | null }[]>(ofMembers, second, 'GET', '/sessions');
    expect(sessions.map(({ user_agent }) => user_agent)).toEqual(['Assistant: Test (read)']);
  });

  it('has its tokens for the public address, whichever host a request names', async () => {
    await assistant.register();
    const tokens = await assistant.connect(cookieOfAnn);
    expect((await assistant.call(tokens.access_token)).status).toBe(200);
    const metadata = await fetch(`${ofMembers.url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({
      issuer: CLIENT.publicUrl,
      token_endpoint: `${CLIENT.publicUrl}/api/v1/oauth/token`,
    });
  });

  it('ends when the person is removed', async () => {
    const tokens = await assistant.connect(cookieOfAnn);
    await call(ofMembers, first, 'DELETE', `/members/${memberId}`);
    expect(await work(tokens)).toEqual([false, false]);
  });

  it('ends for good when the role no longer has its rights', async () => {
    const [writing, reading] = [
      await assistant.connect(cookieOfAnn, { access: 'write' }),
      await assistant.connect(cookieOfAnn),
    ];
    const setRole = (role: string) => call(ofMembers, first, 'PATCH', `/members/${memberId}`, { role });
    await setRole('reader');
    expect((await assistant.call(writing.access_token)).status).toBe(401);
    await setRole('owner');
    expect(await work(writing)).toEqual([false, false]);
    expect(await work(reading)).toEqual([true, true]);
  });
});
