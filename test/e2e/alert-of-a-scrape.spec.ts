import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { RetryingTransactions } from '../../src/database/retrying-transactions.js';
import { AlertMatcher } from '../../src/alerts/matching/alert-matcher.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { HttpReceiver, type ReceivedRequest } from '../support/receivers.js';
import { bodyOf, verified } from '../support/webhook-reading.js';

const SECRET = 'a shared secret of more than 24 bytes';

const receiver = await HttpReceiver.start();
const sandbox = await openSandbox();
const service = await startTestApplication({
  ...scrapingFrom(sandbox.baseUrl),
  OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
});

describe('a scrape that an alert watches', () => {
  let workspace: TestWorkspace;

  beforeAll(async () => {
    workspace = await service.createWorkspace();
  });

  const scrape = () =>
    runJob(service, workspace, {
      target: 'technology',
      limit: 100,
      scrape_comments: false,
      download_media: false,
    });
  const ofType = (requests: readonly ReceivedRequest[], type: string) =>
    requests.map((one) => bodyOf(one)).filter((event) => event.type === type);

  it('notifies of its matches and of the end of the job, each once', async () => {
    await call(service, workspace, 'POST', '/webhooks', {
      url: receiver.url,
      events: ['job.completed', 'alert.triggered'],
      secret: SECRET,
    });
    const words = ['the', 'a', 'is', 'to', 'and'];
    const alert = await call<{ id: string }>(service, workspace, 'POST', '/alerts', {
      name: 'Common words',
      keywords: words,
      channel: 'chat_a',
      channel_config: { webhook_url: `${receiver.url}/chat` },
    });
    const job = await scrape();
    expect(job).toMatchObject({ error_message: null, status: 'completed', posts_scraped: 100 });

    const { total } = await call<{ total: number }>(service, workspace, 'GET', `/alerts/${alert.id}/matches`);
    expect(total).toBeGreaterThan(0);
    const [{ trigger_count: batches }] = await call<[{ trigger_count: number }]>(
      service,
      workspace,
      'GET',
      '/alerts',
    );
    const sent = await receiver.received(1 + 2 * batches);
    const hooks = sent.filter(({ path }) => path === '/');
    for (const hook of hooks) expect(() => verified(hook, SECRET)).not.toThrow();
    expect(ofType(hooks, 'job.completed').map(({ data }) => data.id)).toEqual([job.id]);
    const told = ofType(hooks, 'alert.triggered').map(({ data }) => data.matched_posts_total as number);
    expect(told.reduce((sum, count) => sum + count, 0)).toBe(total);
    expect(sent.filter(({ path }) => path === '/chat')).toHaveLength(batches);

    const again = await scrape();
    expect(again.status).toBe('completed');
    await receiver.received(2 + 2 * batches);
    expect(
      ofType(
        receiver.all.filter(({ path }) => path === '/'),
        'alert.triggered',
      ),
    ).toHaveLength(batches);
  });

  it('does not match posts that were stored before the alert was created', async () => {
    workspace = await service.createWorkspace();
    expect((await scrape()).posts_scraped).toBe(100);
    const alert = await call<{ id: string }>(service, workspace, 'POST', '/alerts', {
      name: 'Too late',
      keywords: ['the', 'a', 'is', 'to', 'and'],
      channel: 'chat_a',
      channel_config: { webhook_url: `${receiver.url}/late` },
    });
    expect((await scrape()).posts_scraped).toBe(100);
    const matches = await call<object>(service, workspace, 'GET', `/alerts/${alert.id}/matches`);
    expect(matches).toMatchObject({ matches: [], total: 0 });
    expect(await call<object[]>(service, workspace, 'GET', '/alerts')).toMatchObject([{ trigger_count: 0 }]);
    const events = await service.app
      .get(DataSource)
      .query<{ type: string }[]>('SELECT type FROM outbox_events WHERE workspace_id = $1', [
        workspace.workspaceId,
      ]);
    expect(events.map(({ type }) => type)).toEqual(['job.completed', 'job.completed']);
  });

  it('compiles its matcher before the transaction of a batch begins', async () => {
    // The matcher of a new workspace is not cached yet.
    workspace = await service.createWorkspace();
    const compile = jest.spyOn(AlertMatcher, 'compile');
    const transaction = jest.spyOn(service.get(RetryingTransactions), 'run');
    await scrape();
    expect(compile).toHaveBeenCalledTimes(1);
    expect(compile.mock.invocationCallOrder[0]).toBeLessThan(transaction.mock.invocationCallOrder[0]!);
  });
});
