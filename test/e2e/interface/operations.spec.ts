import { startTestApplication, type TestApplication, type TestWorkspace } from '../../support/application.js';
import { Contract, ContractClient } from '../../support/contract.js';

describe('GET /metrics', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let client: ContractClient;

  beforeAll(async () => {
    service = await startTestApplication();
    workspace = await service.createWorkspace();
    client = new ContractClient(service, new Contract(service), workspace.apiKey);
  });
  afterAll(() => service.close());

  it('counts requests by route template and status, never by address', async () => {
    await client.get(workspace.path('/jobs/00000000-0000-4000-8000-000000000000'));
    await client.get(workspace.path('/nonsense'));
    const { text } = await client.get('/metrics', { key: null });
    expect(text).toContain(
      'wss_http_request_duration_seconds_count{method="GET",route="/api/v1/workspaces/:workspace_id/jobs/:job_id",status="404"} 1',
    );
    expect(text).toContain(
      'wss_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
    );
    expect(text).not.toContain(workspace.workspaceId);
  });

  it('measures no event stream', async () => {
    const { body } = await client.post<{ id: string }>(workspace.path('/jobs'), { target: 'technology' });
    const path = workspace.path(`/jobs/${body.id}/events`);
    const ending = new AbortController();
    await fetch(service.url + path, { headers: { 'X-API-Key': workspace.apiKey }, signal: ending.signal });
    ending.abort();
    for (let open = 1; open > 0;) {
      const usage = await client.get<{ quotas: { event_streams: { used: number } } }>(
        workspace.path('/usage'),
      );
      open = usage.body.quotas.event_streams.used;
    }
    const { text } = await client.get('/metrics', { key: null });
    expect(text).not.toContain('/events"');
    expect(text).toContain('/usage"');
  });

  it('shows queues and the process', async () => {
    await client.post(workspace.path('/jobs'), { target: 'technology' });
    const { text } = await client.get('/metrics', { key: null });
    expect(text).toContain('queue_entries{queue="scrape",state="waiting"} 2');
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
  });
});
