import { DataSource } from 'typeorm';
import { startTestApplication, type TestWorkspace } from '../../support/application.js';
import { ContractClient } from '../../support/contract.js';

const TOKEN = 'token-of-the-operator-of-32-characters';
const SESSION = '/api/v1/session';
const ADMIN_SESSION = '/api/v1/admin/session';

type Problem = { code: string };

const service = await startTestApplication({ ADMIN_TOKEN: TOKEN });
const client = new ContractClient(service);

describe('sessions of browsers', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace('Marketing');
  });

  /** `name=value` of the cookie that a sign-in sets, and its attributes. */
  async function signIn(
    path: string,
    body: object,
    headers = {},
  ): Promise<{ cookie: string; attributes: string[] }> {
    const answer = await client.post(path, body, { headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    const [cookie, ...attributes] = answer.headers.get('set-cookie')!.split('; ');
    return { cookie: cookie!, attributes };
  }
  const origin = () => service.url;

  describe('with an API key', () => {
    it('sign in with a cookie that scripts and other sites cannot use', async () => {
      const { cookie, attributes } = await signIn(SESSION, { api_key: workspace.apiKey });
      expect(cookie).toMatch(/^wss_session=[\w-]{43}$/);
      expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Max-Age=43200']));
      expect(attributes).not.toContain('Secure');
      const behindTls = await signIn(
        SESSION,
        { api_key: workspace.apiKey },
        { 'X-Forwarded-Proto': 'https' },
      );
      expect(behindTls.cookie).toMatch(/^__Host-wss_session=/);
      expect(behindTls.attributes).toEqual(expect.arrayContaining(['Secure', 'Path=/']));
      // A sibling domain can set a cookie without the prefix.
      const headers = { 'X-Forwarded-Proto': 'https', Cookie: behindTls.cookie.replace('__Host-', '') };
      expect((await client.get<Problem>(SESSION, { headers })).body.code).toBe('missing_api_key');
    });

    it('show their workspace and key, and may do what the key may', async () => {
      const { body: reader } = await client.post<{ key: string }>(
        workspace.path('/api-keys'),
        { name: 'reader' },
        { key: workspace.apiKey },
      );
      const { cookie } = await signIn(SESSION, { api_key: reader.key });
      const shown = await client.get(SESSION, { headers: { Cookie: cookie } });
      expect(shown.body).toEqual({
        workspace_id: `ws_${workspace.workspaceId}`,
        workspace_name: 'Marketing',
        scopes: ['read'],
        key_prefix: reader.key.slice(0, 11),
      });
      const headers = { Cookie: `other=1; ${cookie}`, Origin: origin() };
      expect((await client.get(workspace.path('/jobs'), { headers })).status).toBe(200);
      const create = await client.post<Problem>(
        workspace.path('/jobs'),
        { target: 'technology' },
        { headers },
      );
      expect(create.body.code).toBe('insufficient_scope');
      const other = await service.createWorkspace();
      const foreign = await client.get<Problem>(other.path('/jobs'), { headers });
      expect(foreign.body.code).toBe('workspace_mismatch');
    });

    it('change nothing for requests from another origin or without one', async () => {
      const { cookie } = await signIn(SESSION, { api_key: workspace.apiKey });
      const create = (from: Record<string, string>) =>
        client.post<Problem>(
          workspace.path('/jobs'),
          { target: 'technology' },
          { headers: { Cookie: cookie, ...from } },
        );
      const origins: Record<string, string>[] = [
        {},
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: `${origin()}.evil.example` },
      ];
      for (const from of origins) {
        const { status, body } = await create(from);
        expect([from, status, body.code]).toEqual([from, 403, 'cross_origin_request']);
      }
      expect((await create({ Origin: origin() })).status).toBe(201);
      const jobs = await client.get<{ total: number }>(workspace.path('/jobs'), { key: workspace.apiKey });
      expect(jobs.body.total).toBe(1);
      // A key in a header is sent only by the caller itself, whatever the page and its cookie.
      const keyed = await client.post(
        workspace.path('/jobs'),
        { target: 'technology' },
        { key: workspace.apiKey, headers: { Cookie: cookie, Origin: 'https://other.example' } },
      );
      expect(keyed.status).toBe(201);
      const foreign = await client.post<Problem>(
        SESSION,
        { api_key: workspace.apiKey },
        { headers: { Origin: 'https://evil.example' } },
      );
      expect(foreign.body.code).toBe('cross_origin_request');
    });

    it('end when the browser signs out', async () => {
      const { cookie } = await signIn(SESSION, { api_key: workspace.apiKey });
      const headers = { Cookie: cookie, Origin: origin() };
      expect((await client.delete(SESSION, { headers: { Cookie: cookie } })).status).toBe(403);
      const answer = await client.delete(SESSION, { headers });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
        204,
        expect.stringMatching(/^wss_session=;.*Expires=Thu, 01 Jan 1970/) as string,
      ]);
      expect((await client.get<Problem>(SESSION, { headers })).body.code).toBe('invalid_session');
    });

    it('begin once by a link, whose token is not a cookie', async () => {
      const create = async () => {
        const { status, body } = await client.post<{ path: string; token: string; expires_at: string }>(
          `${SESSION}/links`,
          {},
          { key: workspace.apiKey },
        );
        expect(status).toBe(201);
        expect(body.path).toBe(`/sign-in#${body.token}`);
        expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now() + 15 * 60_000);
        return body.token;
      };
      const redeem = (token: string) => client.post<Problem>(`${SESSION}/links/redeem`, { token });
      const token = await create();
      const asCookie = { headers: { Cookie: `wss_session=${token}` } };
      expect((await client.get<Problem>(SESSION, asCookie)).body.code).toBe('invalid_session');
      const answers = await Promise.all([redeem(token), redeem(token), redeem(token)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401]);
      const { cookie } = await signIn(`${SESSION}/links/redeem`, { token: await create() });
      expect((await client.get(SESSION, { headers: { Cookie: cookie } })).status).toBe(200);
      expect((await redeem('wrong')).body.code).toBe('invalid_session');
    });

    it('are listed and ended, those of other keys only with the scope admin', async () => {
      const { body: reader } = await client.post<{ id: string; key: string }>(
        workspace.path('/api-keys'),
        { name: 'reader' },
        { key: workspace.apiKey },
      );
      const own = await signIn(SESSION, { api_key: reader.key }, { 'User-Agent': 'Laptop' });
      const other = await signIn(SESSION, { api_key: workspace.apiKey });
      type Listed = { id: string; key_id: string; user_agent: string; is_current: boolean };
      const path = workspace.path('/sessions');
      const headers = { Cookie: own.cookie, Origin: origin() };
      const seen = await client.get<Listed[]>(path, { headers });
      expect(seen.body).toMatchObject([{ key_id: reader.id, user_agent: 'Laptop', is_current: true }]);
      const all = await client.get<Listed[]>(path, { key: workspace.apiKey });
      expect(all.body.map(({ is_current }) => is_current)).toEqual([false, false]);
      const foreign = all.body.find(({ key_id }) => key_id !== reader.id)!;
      expect((await client.delete(`${path}/${foreign.id}`, { headers })).status).toBe(404);
      expect((await client.delete(`${path}/${seen.body[0]!.id}`, { headers })).status).toBe(200);
      expect((await client.get<Problem>(SESSION, { headers })).body.code).toBe('invalid_session');
      const ended = await client.delete<{ message: string }>(path, { key: workspace.apiKey });
      expect(ended.body.message).toBe('1 session ended');
      expect((await client.get(SESSION, { headers: { Cookie: other.cookie } })).status).toBe(401);
    });

    it('are refused for wrong keys, bodies and cookies', async () => {
      const code = async (body: object) => (await client.post<Problem>(SESSION, body)).body.code;
      expect(await code({ api_key: `rp_${'a'.repeat(46)}` })).toBe('invalid_api_key');
      expect(await code({})).toBe('validation_failed');
      expect(await code({ api_key: workspace.apiKey, more: 1 })).toBe('validation_failed');
      const headers = { Cookie: `wss_session=${'a'.repeat(43)}` };
      expect((await client.get<Problem>(SESSION, { headers })).body.code).toBe('invalid_session');
      expect((await client.get<Problem>(SESSION)).body.code).toBe('missing_api_key');
    });
  });

  describe('with the admin token', () => {
    it('serve the admin API, change nothing from another origin, and end when signed out', async () => {
      const { cookie, attributes } = await signIn(ADMIN_SESSION, { admin_token: TOKEN });
      expect(attributes).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict']));
      const headers = { Cookie: cookie };
      expect((await client.get('/api/v1/admin/workspaces', { headers })).status).toBe(200);
      const { body } = await client.get<{ expires_at: string }>(ADMIN_SESSION, { headers });
      expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now() + 11 * 3_600_000);
      const create = (from: Record<string, string>) =>
        client.post<Problem>(
          '/api/v1/admin/workspaces',
          { name: 'Made' },
          { headers: { ...headers, ...from } },
        );
      expect((await create({})).body.code).toBe('cross_origin_request');
      expect((await create({ Origin: 'https://evil.example' })).body.code).toBe('cross_origin_request');
      expect((await create({ Origin: origin() })).status).toBe(201);
      const out = await client.delete(ADMIN_SESSION, { headers: { ...headers, Origin: origin() } });
      expect(out.headers.get('set-cookie')).toMatch(/^wss_admin_session=;/);
      expect((await client.get('/api/v1/admin/workspaces', { headers })).status).toBe(401);
    });

    it('are refused for wrong tokens, forged and expired cookies', async () => {
      const wrong = await client.post<Problem>(ADMIN_SESSION, { admin_token: 'wrong' });
      expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_admin_token']);
      const { cookie } = await signIn(ADMIN_SESSION, { admin_token: TOKEN });
      for (const forged of [`${cookie}x`, cookie.slice(0, -1), 'wss_admin_session=x']) {
        const answer = await client.get('/api/v1/admin/workspaces', { headers: { Cookie: forged } });
        expect([forged, answer.status]).toEqual([forged, 401]);
      }
    });

    it('end when they expire', async () => {
      const { cookie } = await signIn(ADMIN_SESSION, { admin_token: TOKEN });
      const status = async () =>
        (await client.get('/api/v1/admin/workspaces', { headers: { Cookie: cookie } })).status;
      expect(await status()).toBe(200);
      await service.app.get(DataSource).query('UPDATE admin_sessions SET expires_at = now()');
      expect(await status()).toBe(401);
    });
  });
});
