import { MetricsServer } from '../../src/operate/metrics/metrics-server.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';

const TOKEN = 'token-of-the-operator-of-32-characters';

describe('behind a proxy', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  const status = async (url: string) => (await fetch(url)).status;

  beforeAll(async () => {
    service = await startTestApplication({
      ...{ ADMIN_TOKEN: TOKEN, TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8', METRICS_PORT: '0' },
    });
    workspace = await service.createWorkspace();
  });

  it('metrics are served on their own port alone, under one spelling', async () => {
    const own = `http://127.0.0.1:${service.app.get(MetricsServer, { strict: false }).port}`;
    expect(await status(`${own}/metrics`)).toBe(200);
    for (const path of ['/metrics', '/METRICS', '/metrics/', '/Metrics/'])
      expect([path, await status(service.url + path)]).toEqual([path, 404]);
    expect(await status(`${own}/METRICS`)).toBe(404);
  });

  it('audit entries have the address of the client', async () => {
    const forwarded = { 'X-Forwarded-For': '1.1.1.1, 203.0.113.7, 10.0.0.9' };
    await fetch(service.url + workspace.path('/jobs'), {
      method: 'POST',
      headers: { 'X-API-Key': workspace.apiKey, 'Content-Type': 'application/json', ...forwarded },
      body: JSON.stringify({ target: 'technology' }),
    });
    const answer = await fetch(`${service.url}/api/v1/admin/audit?workspace_id=${workspace.workspaceId}`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    });
    const { entries } = (await answer.json()) as { entries: { action: string; ip: string }[] };
    expect(entries.find(({ action }) => action === 'createJob')?.ip).toBe('203.0.113.7');
  });
});

describe('without a metrics port', () => {
  it('the API serves metrics under one spelling', async () => {
    const service = await startTestApplication();
    for (const [path, expected] of [
      ['/metrics', 200],
      ['/METRICS', 404],
      ['/metrics/', 404],
    ] as const)
      expect([path, (await fetch(service.url + path)).status]).toEqual([path, expected]);
  });
});
