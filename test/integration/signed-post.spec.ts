import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { postJson } from '../../src/messages/channels/post-json.js';
import { signingHeaders } from '../../src/infrastructure/signing/signing.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = JSON.stringify({ id: 'evt_1', type: 'job.completed', data: { target: 'grüße 🚀' } });

describe('a signed post to a real receiver', () => {
  const client = new OutboundHttpClient(['127.0.0.0/8']);
  let answer: (request: IncomingMessage, body: string, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks).toString('utf8'), response));
  });
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterAll(async () => {
    client.close();
    await new Promise((closed) => server.close(closed));
  });

  const send = (timeoutMs = 5_000) => {
    const headers = signingHeaders({ id: 'evt_1', timestamp: new Date(), body: BODY }, [SECRET]);
    return postJson(client, { url, body: BODY, headers, timeoutMs, signal: new AbortController().signal });
  };

  it("is verified by the package's own verifier from what came over the wire", async () => {
    let verified: unknown;
    answer = (request, body, response) => {
      verified = new Webhook(SECRET).verify(body, request.headers as Record<string, string>);
      response.writeHead(204).end();
    };
    expect((await send()).outcome).toMatchObject({ ok: true, responseCode: 204 });
    expect(verified).toEqual(JSON.parse(BODY));
  });

  it('reads the wait from a date in Retry-After', async () => {
    answer = (_request, _body, response) =>
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end();
    const { outcome } = await send();
    expect(outcome).toMatchObject({ ok: false, responseCode: 503 });
    expect(outcome.retryAfterMs).toBeGreaterThan(3_500_000);
    expect(outcome.retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });

  it('follows no redirect and reports a silent receiver as a timeout', async () => {
    const asked: (string | undefined)[] = [];
    answer = (request, _body, response) => {
      asked.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    };
    expect((await send()).outcome).toMatchObject({ ok: false, responseCode: 307 });
    expect(asked).toEqual(['/hook']);
    answer = () => {};
    expect((await send(50)).outcome.error).toMatch(/^timeout: /);
    server.closeAllConnections();
  });
});
