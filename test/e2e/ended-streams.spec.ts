import { startTestApplication } from '../support/application.js';
import { call } from '../support/client.js';

const WITHIN_MS = 60_000;

const service = await startTestApplication({ ROLES: 'api' });
const workspace = await service.createWorkspace();

describe('an open stream of job events', () => {
  let jobId: string;

  beforeAll(async () => {
    jobId = (await call<{ id: string }>(service, workspace, 'POST', '/jobs', { target: 'technology' })).id;
  });

  const open = (headers: Record<string, string>) =>
    fetch(`${service.url}${workspace.path(`/jobs/${jobId}/events`)}`, { headers });

  /** The stream's text, once it has ended by itself. */
  async function textOf(stream: Response): Promise<string> {
    const timeout = AbortSignal.timeout(WITHIN_MS);
    let text = '';
    const decoder = new TextDecoderStream();
    await stream
      .body!.pipeThrough(decoder)
      .pipeTo(new WritableStream({ write: (chunk: string) => void (text += chunk) }), { signal: timeout });
    return text;
  }

  it(
    'ends within a minute after its session is ended, whose key is still valid',
    async () => {
      const signIn = async () => {
        const signedIn = await fetch(`${service.url}/api/v1/session`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ api_key: workspace.apiKey }),
        });
        return signedIn.headers.get('set-cookie')!.split(';', 1)[0]!;
      };
      // The key keeps another session, which is older.
      await signIn();
      const cookie = await signIn();
      const stream = await open({ Cookie: cookie });
      expect(stream.status).toBe(200);
      const [session] = await call<{ id: string }[]>(service, workspace, 'GET', '/sessions');
      await call(service, workspace, 'DELETE', `/sessions/${session!.id}`);
      expect(await textOf(stream)).not.toContain('event: end');
    },
    2 * WITHIN_MS,
  );

  it(
    'ends within a minute after its key is revoked',
    async () => {
      const key = await call<{ id: string; key: string }>(service, workspace, 'POST', '/api-keys', {
        name: 'Short-lived',
        scopes: ['read'],
      });
      const [revoked, other] = await Promise.all([
        open({ 'X-API-Key': key.key }),
        open({ 'X-API-Key': workspace.apiKey }),
      ]);
      expect([revoked.status, other.status]).toEqual([200, 200]);
      await call(service, workspace, 'DELETE', `/api-keys/${key.id}`);
      const text = await textOf(revoked);
      expect(text).toContain('event: progress');
      expect(text).not.toContain('event: end');
      // The stream of a valid key stays open until the job ends.
      await call(service, workspace, 'DELETE', `/jobs/${jobId}`);
      expect(await textOf(other)).toContain('event: end');
    },
    2 * WITHIN_MS,
  );
});
