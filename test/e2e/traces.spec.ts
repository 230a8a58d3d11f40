import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { startBreakableApplication } from '../support/breakable-application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { HttpReceiver } from '../support/receivers.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT_ID = '00f067aa0ba902b7';
/** Kinds of spans in OTLP. */
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;
const FAILED = 2;

interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface SentBatch {
  resourceSpans: {
    resource: Pick<SentSpan, 'attributes'>;
    scopeSpans: { spans: SentSpan[] }[];
  }[];
}

const valuesOf = ({ attributes }: Pick<SentSpan, 'attributes'>): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('traces', () => {
  let collector: HttpReceiver;
  let service: TestApplication;
  let workspace: TestWorkspace;

  const start = async (overrides: Record<string, string> = {}): Promise<void> => {
    service = await startTestApplication({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...overrides });
    workspace = await service.createWorkspace();
  };
  /** Stops the service, which sends pending spans. */
  const sent = async (): Promise<(SentSpan & { values: Record<string, unknown> })[]> => {
    await service.close();
    return collector.all
      .flatMap(({ body }) => (JSON.parse(body) as SentBatch).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      .map((span) => ({ ...span, values: valuesOf(span) }));
  };

  beforeEach(async () => {
    collector = await HttpReceiver.start();
  });
  afterEach(() => collector.close());

  it('have a span per request, below the span of the caller', async () => {
    await start();
    const path = workspace.path('/jobs?target=technology');
    await fetch(service.url + path, {
      headers: { 'X-API-Key': workspace.apiKey, traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` },
    });
    await fetch(`${service.url}/health/live`);
    await fetch(`${service.url}/metrics`);
    await fetch(service.url + path);
    const [listed, refused, ...others] = await sent();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      name: 'GET /api/v1/workspaces/:workspace_id/jobs',
      kind: SERVER,
      traceId: TRACE_ID,
      parentSpanId: PARENT_ID,
      values: {
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'url.path': path.split('?')[0],
        'wss.workspace_id': workspace.workspaceId,
      },
    });
    expect(refused!.traceId).not.toBe(TRACE_ID);
    expect(refused!.values).toMatchObject({ 'http.response.status_code': 401 });
    expect(JSON.stringify([listed, refused])).not.toContain(workspace.apiKey);
    const [request] = collector.all;
    expect(request!.path).toBe('/v1/traces');
    const [{ resource }] = (JSON.parse(request!.body) as SentBatch).resourceSpans as [
      SentBatch['resourceSpans'][0],
    ];
    expect(valuesOf(resource)).toMatchObject({ 'service.name': 'workspace-scraping-service' });
  });

  it('have a span per execution of a job and per attempt at a delivery', async () => {
    const sandbox = await openSandbox();
    const destination = await HttpReceiver.start((_request, index) => ({ status: index === 0 ? 500 : 200 }));
    await start({
      ...scrapingFrom(sandbox.baseUrl),
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '1ms',
    });
    await call(service, workspace, 'POST', '/webhooks', {
      url: destination.url,
      events: ['job.completed'],
    });
    const job = await runJob(service, workspace, { target: 'technology', limit: 5 });
    await destination.received(2);
    const spans = await sent();
    const [execution] = spans.filter(({ name }) => name === 'job execution');
    expect(execution).toMatchObject({
      kind: CONSUMER,
      values: {
        'wss.workspace_id': workspace.workspaceId,
        'wss.job_id': job.id.slice('job_'.length),
        'wss.source': 'reddit',
        'wss.outcome': 'completed',
      },
    });
    const attempts = spans.filter(({ name }) => name === 'delivery attempt');
    expect(attempts.map(({ kind }) => kind)).toEqual([CLIENT, CLIENT]);
    expect(attempts.map(({ values }) => values['wss.outcome'])).toEqual(['failed', 'delivered']);
    expect(attempts.map(({ values }) => values['wss.response_code'])).toEqual([500, 200]);
    expect(attempts[0]!.values).toMatchObject({ 'wss.event_type': 'job.completed', 'wss.attempt': 1 });
  });

  it('mark a request that the service could not answer', async () => {
    const breakable = await startBreakableApplication({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    service = breakable;
    workspace = await service.createWorkspace();
    breakable.postgres.cut();
    await fetch(service.url + workspace.path('/jobs'), { headers: { 'X-API-Key': workspace.apiKey } });
    const [span] = await sent();
    expect(span!.values).toMatchObject({ 'http.response.status_code': 503 });
    expect(span!.status.code).toBe(FAILED);
  });

  it('delay nothing while the collector does not respond', async () => {
    collector.answerWith({ fault: 'hang' });
    await start();
    const response = await fetch(service.url + workspace.path('/jobs'), {
      headers: { 'X-API-Key': workspace.apiKey },
    });
    expect(response.status).toBe(200);
    // Ends with the timeout of the export; the test's own limit is longer.
    await service.close();
    expect(collector.all.length).toBeGreaterThan(0);
  });
});
