import { startSandbox } from '../../../src/platforms/sandbox/server/sandbox.js';
import { startTestApplication } from '../../support/application.js';
import { call } from '../../support/client.js';
import { Contract } from '../../support/contract.js';
import { runJob } from '../../support/jobs.js';
import { HttpReceiver } from '../../support/receivers.js';
import { scrapingFrom } from '../../support/sandbox.js';
import { bodyOf } from '../../support/webhook-reading.js';

interface DocumentedWebhook {
  post: {
    parameters: { name: string; required: boolean }[];
    requestBody: { content: Record<string, { schema: object; example: object }> };
  };
}

const TEXTS = { scrape_comments: false, download_media: false };

describe('the webhooks section of the contract', () => {
  it('describes what webhooks receive, of every event', async () => {
    const [receiver, sandbox] = [
      await HttpReceiver.start(),
      await startSandbox({ forums: { forum: { posts: 20 } } }),
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
        secret: 'a secret',
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
        channel_config: { webhook_url: receiver.url, secret: 'a secret' },
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
  }, 60_000);
});
