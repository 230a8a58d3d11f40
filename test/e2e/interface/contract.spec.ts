import { Validator } from '@seriousme/openapi-schema-validator';
import { startTestApplication, type TestApplication } from '../../support/application.js';
import { Contract } from '../../support/contract.js';
import { contractTexts } from '../../../src/openapi/write.js';
import { call } from '../../support/client.js';
import { runJob } from '../../support/jobs.js';
import { HttpReceiver } from '../../support/receivers.js';
import { openSandbox, scrapingFrom } from '../../support/sandbox.js';
import { bodyOf } from '../../support/webhook-reading.js';

/** The table in part 4 of the interface, row by row. */
const ROWS = [
  'get /api-keys',
  'post /api-keys',
  'delete /api-keys/{key_id}',
  'get /schedules',
  'post /schedules',
  'patch /schedules/{schedule_id}',
  'delete /schedules/{schedule_id}',
  'post /jobs',
  'get /jobs',
  'get /jobs/{job_id}',
  'delete /jobs/{job_id}',
  'get /posts',
  'get /posts/{post_id}',
  'get /posts/forums/list',
  'get /comments',
  'get /exports/posts',
  'get /alerts',
  'post /alerts',
  'delete /alerts/{alert_id}',
  'get /webhooks',
  'post /webhooks',
  'delete /webhooks/{webhook_id}',
];

/** A verb, and a spelled-out resource. */
const OPERATION_NAME =
  /^(list|get|find|read|create|update|delete|end|revoke|cancel|follow|export|run|preview|test|begin|complete|sign|switch|remove|redeliver|redeem|repeat|reset|retry|roll|resolve|suggest)([A-Z][a-z]*)*[A-Z][a-z]*(?<!ie)$/;

describe('the contract', () => {
  let service: TestApplication;
  let contract: Contract;

  beforeAll(async () => {
    service = await startTestApplication();
    contract = Contract.of(service);
  });

  it('has every operation of the interface', () => {
    const known = contract.operations.map(
      ({ method, path }) => `${method} ${path.replace('/api/v1/workspaces/{workspace_id}', '')}`,
    );
    expect(known).toEqual(expect.arrayContaining(ROWS));
  });

  it('gives every operation a stable name, a summary, a tag, and its path parameters', () => {
    const names = contract.operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { path, operation } of contract.operations) {
      expect(operation.operationId).toMatch(OPERATION_NAME);
      expect(operation.summary).toMatch(/^[A-Z].{4,}[^.]$/);
      expect(operation.tags).toHaveLength(1);
      const documented = (operation.parameters as { name: string; in: string }[])
        .filter((parameter) => parameter.in === 'path')
        .map(({ name }) => name);
      expect(documented).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  });

  it("is an OpenAPI 3.1 document by OpenAPI's own schema", async () => {
    const validator = new Validator();
    const document = JSON.parse((await contractTexts()).openApi) as Record<string, unknown>;
    expect(await validator.validate(document)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('shows an example of every body, which its own schema accepts', () => {
    expect(contract.operations.flatMap((operation) => contract.exampleComplaints(operation))).toEqual([]);
  });

  it('has examples that can be sent unchanged', async () => {
    const workspace = await service.createWorkspace();
    const send = (path: string, body: object) => call<{ id: string }>(service, workspace, 'POST', path, body);
    // Ids in examples stand for these.
    const alert = await send('/alerts', { name: 'Example', query: 'example' });
    const search = await send('/searches', { name: 'Example', q: 'example' });
    const withIds = (text: string): string =>
      text.replaceAll(/alert_[-\da-f]{36}/g, alert.id).replaceAll(/search_[-\da-f]{36}/g, search.id);
    const failed: string[] = [];
    for (const { method, path, operation } of contract.operations) {
      if (!/^\/api\/v1\/(workspace$|workspaces\/\{workspace_id\}\/(?!me\/)[^{]*$)/.test(path)) continue;
      const parameters = operation.parameters as { name: string; in: string; example?: string }[];
      const exampleOf = (name: string): string =>
        parameters.find((parameter) => parameter.name === name)?.example ?? '';
      const url = new URL(path.replace('{workspace_id}', exampleOf('workspace_id')), service.url);
      for (const { name, in: place, example } of parameters) {
        if (place === 'header' && example !== undefined)
          failed.push(`${operation.operationId}: header ${name}`);
        if (place === 'query' && example !== undefined) url.searchParams.set(name, String(example));
      }
      const body = operation.requestBody as
        { content: Record<string, { example: object | string }> } | undefined;
      const [[type, content] = []] = Object.entries(body?.content ?? {});
      const response = await fetch(url, {
        method: method.toUpperCase(),
        headers: { 'X-API-Key': workspace.apiKey, ...(type !== undefined && { 'Content-Type': type }) },
        ...(content && {
          body:
            typeof content.example === 'string' ? content.example : withIds(JSON.stringify(content.example)),
        }),
      });
      const text = await response.text();
      if (!response.ok) failed.push(`${operation.operationId}: ${response.status} ${text.slice(0, 200)}`);
    }
    expect(failed).toEqual([]);
  });

  it('gives no example of an id that does not exist', () => {
    const named = contract.operations.flatMap(({ operation }) =>
      (operation.parameters as { name: string; in: string; example?: string }[])
        .filter((parameter) => parameter.in === 'path' && parameter.example !== undefined)
        .map(({ name, example }) => `${name}=${example}`),
    );
    expect([...new Set(named)]).toEqual(['workspace_id=current']);
  });

  it('names the limits of lists', () => {
    const limits = {
      keywords: { minItems: 1, maxItems: 100, items: { maxLength: 200 } },
      forums: { maxItems: 100, items: { maxLength: 255 } },
    };
    const schemas = contract.document.components!.schemas!;
    for (const name of ['CreateAlertDto', 'UpdateAlertDto', 'DraftAlertDto'])
      expect(schemas[name]).toMatchObject({ properties: limits });
    expect(schemas.CreateJobDto).toMatchObject({ properties: { plugins: { maxItems: 20 } } });
  });

  it('is the same whether written without a running service or served by one', async () => {
    const served = await (await fetch(`${service.url}/docs-json`)).json();
    expect(served).toEqual(JSON.parse((await contractTexts()).openApi));
  });

  it('is shown by Swagger UI, under a policy that lets its scripts run', async () => {
    const page = await fetch(`${service.url}/docs`);
    expect(page.status).toBe(200);
    const script = await fetch(`${service.url}/docs/swagger-ui-init.js`);
    expect(await script.text()).toContain('"persistAuthorization": false');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('content-security-policy')).not.toContain('upgrade-insecure-requests');
  });
});

interface DocumentedWebhook {
  post: {
    parameters: { name: string; required: boolean }[];
    requestBody: { content: Record<string, { schema: object; example: object }> };
  };
}

const TEXTS = { scrape_comments: false, download_media: false };

describe('the webhooks section of the contract', () => {
  it('describes what webhooks receive for every event', async () => {
    const [receiver, sandbox] = [
      await HttpReceiver.start(),
      await openSandbox({ forums: { forum: { posts: 20 } } }),
    ];
    const service = await startTestApplication({
      ...scrapingFrom(sandbox.baseUrl),
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    try {
      const contract = Contract.of(service);
      const { webhooks } = contract.document as unknown as { webhooks: Record<string, DocumentedWebhook> };
      const workspace = await service.createWorkspace();
      const { id } = await call<{ id: string }>(service, workspace, 'POST', '/webhooks', {
        url: receiver.url,
        secret: 'a secret of more than 24 bytes',
        events: ['job.completed', 'job.failed', 'alert.triggered', 'export.completed'],
      });
      await call(service, workspace, 'POST', '/alerts', {
        name: 'Any',
        keywords: ['the', 'a', 'is', 'to', 'and'],
        channel_config: { to: 'me@example.com' },
      });
      await call(service, workspace, 'POST', `/webhooks/${id}/test`);
      const alert = await call<{ id: string }>(service, workspace, 'POST', '/alerts', {
        name: 'Tested alone',
        keywords: ['no such words'],
        channel: 'webhook',
        channel_config: { webhook_url: receiver.url, secret: 'a secret of more than 24 bytes' },
      });
      await call(service, workspace, 'POST', `/alerts/${alert.id}/test`);
      await runJob(service, workspace, { target: 'forum', limit: 20, ...TEXTS });
      await runJob(service, workspace, { target: 'bannedforum', ...TEXTS });
      await call(service, workspace, 'POST', '/exports', { of: 'posts', format: 'ndjson', filters: {} });
      const requests = await receiver.received(Object.keys(webhooks).length);
      expect(new Set(requests.map((request) => bodyOf(request).type))).toEqual(
        new Set(Object.keys(webhooks)),
      );
      for (const request of requests) {
        const body = bodyOf(request);
        const { parameters, requestBody } = webhooks[body.type]!.post;
        const { schema } = requestBody.content['application/json']!;
        expect(contract.validate(body.type, schema, body)).toEqual([]);
        expect(Object.keys(request.headers)).toEqual(
          expect.arrayContaining(parameters.map(({ name }) => name)),
        );
      }
      for (const [type, { post }] of Object.entries(webhooks)) {
        const { schema, example } = post.requestBody.content['application/json']!;
        expect(contract.validate(`example of ${type}`, schema, example)).toEqual([]);
      }
    } finally {
      await service.close();
      await sandbox.close();
      await receiver.close();
    }
  });
});
