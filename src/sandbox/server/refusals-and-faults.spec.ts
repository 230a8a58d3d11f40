import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxClient } from '../../../test/support/sandbox-client.js';
import type { SandboxOptions } from '../options.js';
import { RequestHandler } from './request-handler.js';
import { type Sandbox, startSandbox } from './sandbox.js';

let sandbox: Sandbox;
let client: SandboxClient;

async function start(options: SandboxOptions): Promise<void> {
  sandbox = await startSandbox(options);
  client = await new SandboxClient(sandbox.baseUrl).signIn();
}

afterEach(() => sandbox.close());

describe('refusals', () => {
  beforeEach(() => start({}));

  it.each([
    ['/r/nosuchforum/new', 404, { message: 'Not Found', error: 404 }],
    ['/r/privateforum/new', 403, { reason: 'private' }],
    ['/r/bannedforum/new', 404, { reason: 'banned' }],
    ['/r/quarantinedforum/new', 403, { reason: 'quarantined' }],
    ['/r/gatedforum/new', 403, { reason: 'gated' }],
    ['/user/nobody_of_that_name/submitted', 404, { error: 404 }],
    ['/user/suspended_user/submitted', 403, { error: 403 }],
  ])('%s answers %d', async (path, status, body) => {
    const answer = await client.ask(path);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(body);
  });

  it.each([
    ['/r/blockedforum/new', 403],
    ['/r/downforum/new', 503],
    ['/r/limitedforum/new', 429],
  ])('%s answers an HTML page with %d', async (path, status) => {
    const answer = await client.ask(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('text/html');
  });

  it('leaves requests to slowforum pending, and closes them on shutdown', async () => {
    const hanging = client.ask('/r/slowforum/new').then(
      () => 'answered',
      () => 'cut off',
    );
    while (sandbox.stats().byPath['listing'] !== 1) await new Promise(setImmediate);
    await sandbox.close();
    expect(await hanging).toBe('cut off');
  });

  it('ends without an error when the client disconnects', async () => {
    const handler = new RequestHandler({ latencyMs: 60_000 });
    let ended: Promise<unknown> | undefined;
    const server = createServer((request, response) => {
      ended = handler.handle(request, response).catch((error: unknown) => error);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const leaving = new AbortController();
    const { port } = server.address() as AddressInfo;
    const answer = fetch(`http://127.0.0.1:${port}/media/x`, { signal: leaving.signal });
    while (handler.stats.read().byPath['media'] !== 1) await new Promise(setImmediate);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    server.close();
    expect(await ended).toBeUndefined();
  });

  it('requires a valid token', async () => {
    expect((await fetch(`${sandbox.baseUrl}/r/technology/new`)).status).toBe(401);
    expect((await client.grant('refused')).status).toBe(401);
  });
});

describe('faults and budget', () => {
  it('injects the configured faults, and the same request succeeds in the end', async () => {
    const kinds = ['429', '500', 'truncate', 'reset', 'html'] as const;
    await start({ faults: { rate: 1, kinds, maxInARow: 4, retryAfterSeconds: 2 } });
    const seen: unknown[] = [];
    for (let attempt = 0; attempt < 5; attempt++)
      seen.push(
        await client.json<{ kind: string }>('/r/technology/new').then(
          (page) => page.kind,
          () => 'failed',
        ),
      );
    expect(seen).toEqual(['failed', 'failed', 'failed', 'failed', 'Listing']);
    expect(Object.values(sandbox.stats().faults).reduce((sum, count) => sum + count, 0)).toBe(4);
    sandbox.setFaults(null);
    expect((await client.ask('/r/technology/hot')).status).toBe(200);
  });

  it('counts a budget, reports it in headers, and refuses requests beyond it', async () => {
    await start({ requestsPerMinute: 3, windowSeconds: 60, now: () => 1_800_000_000_000 });
    const answers = [
      await client.ask('/r/technology/new'),
      await client.ask('/r/nosuch/new'),
      await client.ask('/r/technology/new'),
      await client.ask('/r/technology/new'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 200, 429]);
    expect(answers.map((answer) => answer.headers.get('x-ratelimit-remaining'))).toEqual([
      '2.0',
      '1.0',
      '0.0',
      '0.0',
    ]);
  });
});
