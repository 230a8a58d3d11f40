import { AuditService } from '../../../src/access/audit/audit.service.js';
import { startTestApplication } from '../../support/application.js';

const ADMIN_TOKEN = 'token-of-the-operator-of-32-characters';
const PREFIX = '/api/v1';

const service = await startTestApplication({ ADMIN_TOKEN });
const workspace = await service.createWorkspace();

describe('the audit log of credentials and bulk reads', () => {
  async function send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { Origin: service.url, ...(body && { 'Content-Type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response;
  }
  const cookieOf = (response: Response): Record<string, string> => ({
    Cookie: response.headers.get('set-cookie')!.split(';', 1)[0]!,
  });
  const withKey = () => ({ headers: { 'X-API-Key': workspace.apiKey } });

  /** The entries that these requests added, oldest first. */
  async function added(requests: () => Promise<unknown>) {
    const audit = service.get(AuditService);
    const before = new Set((await audit.list({}, { limit: 200 })).entries.map(({ id }) => id));
    await requests();
    const { entries } = await audit.list({}, { limit: 200 });
    return entries.filter(({ id }) => !before.has(id)).reverse();
  }

  it('has the sign-in with a key, the link made and used, and both ways to sign out', async () => {
    const entries = await added(async () => {
      const session = cookieOf(
        await send('POST', `${PREFIX}/session`, { body: { api_key: workspace.apiKey } }),
      );
      const link = await send('POST', `${PREFIX}/session/links`, { headers: session });
      const { token } = (await link.json()) as { token: string };
      const other = cookieOf(await send('POST', `${PREFIX}/session/links/redeem`, { body: { token } }));
      await send('DELETE', `${PREFIX}/session`, { headers: other });
      await send('DELETE', workspace.path('/sessions'), withKey());
    });
    const who = {
      actor: 'api_key',
      actorName: workspace.apiKey.slice(0, 11),
      targetWorkspaceId: workspace.workspaceId,
      ip: expect.stringContaining('127.0.0.1') as string,
    };
    expect(entries).toMatchObject([
      { action: 'createSession', status: 204, fields: ['api_key'], ...who },
      { action: 'createSignInLink', status: 201, ...who },
      { action: 'redeemSignInLink', status: 204, fields: ['token'], ...who },
      { action: 'deleteSession', status: 204, ...who },
      { action: 'endAllSessions', status: 200, ...who },
    ]);
    expect(JSON.stringify(entries)).not.toContain(workspace.apiKey);
  });

  it('has the sign-in and sign-out of an operator', async () => {
    const entries = await added(async () => {
      const session = cookieOf(
        await send('POST', `${PREFIX}/admin/session`, { body: { admin_token: ADMIN_TOKEN } }),
      );
      await send('DELETE', `${PREFIX}/admin/session`, { headers: session });
    });
    expect(entries).toMatchObject([
      { action: 'createAdminSession', actor: 'admin', actorName: null, status: 204 },
      { action: 'deleteAdminSession', actor: 'admin', status: 204 },
    ]);
  });

  it('has every failed use of a credential once, and no request without one', async () => {
    const unknownKey = `rp_${'a'.repeat(46)}`;
    const entries = await added(async () => {
      await send('GET', workspace.path('/jobs'));
      await send('GET', workspace.path('/jobs'), { headers: { 'X-API-Key': unknownKey } });
      await send('POST', `${PREFIX}/session`, { body: { api_key: unknownKey } });
      await send('POST', `${PREFIX}/session/links/redeem`, { body: { token: 'x'.repeat(43) } });
      await send('GET', workspace.path('/jobs'), { headers: { Cookie: 'wss_session=unknown' } });
      await send('POST', `${PREFIX}/admin/session`, { body: { admin_token: 'wrong' } });
      await send('GET', `${PREFIX}/admin/audit`, { headers: { Authorization: 'Bearer wrong' } });
    });
    const failure = { action: 'authenticate', actor: 'anonymous', status: 401, targetWorkspaceId: null };
    expect(entries).toMatchObject(
      [
        'invalid_api_key',
        'invalid_api_key',
        'invalid_session',
        'invalid_session',
        'invalid_admin_token',
        'invalid_admin_token',
      ].map((reason) => ({ ...failure, resource: { reason }, requestId: expect.any(String) as string })),
    );
    expect(JSON.stringify(entries)).not.toContain(unknownKey.slice(0, 11));
  });

  it('has the first sixty failures of an address in a minute', async () => {
    const before = 7;
    const entries = await added(async () => {
      for (let sent = 0; sent < 60; sent += 1)
        await send('GET', workspace.path('/jobs'), { headers: { 'X-API-Key': 'wrong' } });
    });
    expect(entries.length).toBeGreaterThanOrEqual(60 - before);
    expect(
      await added(() => send('GET', workspace.path('/jobs'), { headers: { 'X-API-Key': 'wrong' } })),
    ).toEqual([]);
  });

  it('has downloads of posts and comments with the names of their filters', async () => {
    const entries = await added(async () => {
      for (const path of ['/exports/posts?forum=secret&format=json', '/exports/comments'])
        await (await send('GET', workspace.path(path), withKey())).text();
      await (await send('GET', workspace.path('/exports/posts?no_such_parameter=1'), withKey())).text();
      await (await send('GET', workspace.path('/posts'), withKey())).text();
    });
    expect(entries).toMatchObject([
      { action: 'exportPosts', actor: 'api_key', status: 200, fields: ['forum', 'format'] },
      { action: 'exportComments', status: 200, fields: [] },
    ]);
  });
});
