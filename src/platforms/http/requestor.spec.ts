import { getEventListeners } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { HttpReceiver, sendJson } from '../../../test/support/receivers.js';
import { Requestor, type RequestorLimits } from './requestor.js';

/** Longer than a busy machine takes for a response; the tests of the time-out shorten it. */
const LIMITS: RequestorLimits = { connectMs: 10_000, totalMs: 60_000, maxBytes: 10_000 };
const SHORT_MS = 300;
const never = new AbortController().signal;

describe('the requestor', () => {
  let server: HttpReceiver;
  let requestor: Requestor;

  async function serve(
    listener: Parameters<typeof HttpReceiver.serve>[0],
    totalMs = LIMITS.totalMs,
  ): Promise<void> {
    server = await HttpReceiver.serve(listener);
    requestor = new Requestor('agent/1.0', { ...LIMITS, totalMs });
  }
  afterEach(async () => {
    requestor.close();
    await server.close();
  });
  const get = (signal = never) =>
    requestor.send(
      { method: 'GET', url: `${server.url}/x?a=1`, body: null, authorization: 'Bearer t' },
      signal,
    );

  it('sends its user agent and returns the response unchanged', async () => {
    await serve((_request, response) => {
      const headers = { 'retry-after': '4', 'x-ratelimit-remaining': '599.0', 'x-ratelimit-reset': '10' };
      response.writeHead(503, headers).end('{"cut": sh');
    });
    const answer = await get();
    expect(answer).toEqual({
      status: 503,
      text: '{"cut": sh',
      headers: {
        location: null,
        retryAfter: '4',
        remaining: '599.0',
        used: null,
        reset: '10',
        authenticate: null,
        link: null,
      },
    });
    expect(server.all[0]!.headers).toMatchObject({
      'user-agent': 'agent/1.0',
      authorization: 'Bearer t',
    });
  });

  it('sends a form', async () => {
    await serve((_request, response) => sendJson(response, 200, {}));
    const body = new URLSearchParams({ children: 'a,b' });
    await requestor.send({ method: 'POST', url: server.url, body, authorization: null }, never);
    expect(server.all[0]!.form.get('children')).toBe('a,b');
    expect(server.all[0]!.headers.authorization).toBeUndefined();
  });

  it('reads a response with long headers', async () => {
    await serve((_request, response) => response.writeHead(200, { policy: 'x'.repeat(70_000) }).end('{}'));
    expect((await get()).text).toBe('{}');
  });

  it('decompresses a response', async () => {
    await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":"é"}'));
    });
    expect((await get()).text).toBe('{"a":"é"}');
  });

  it('does not follow a redirect', async () => {
    await serve((_request, response) => response.writeHead(302, { location: 'http://elsewhere/' }).end());
    expect(await get()).toMatchObject({ status: 302, headers: { location: 'http://elsewhere/' } });
  });

  it('returns a Location in UTF-8 as the server wrote it', async () => {
    const location = Buffer.from('/r/日本').toString('latin1');
    await serve((_request, response) => response.writeHead(302, { location }).end());
    expect((await get()).headers.location).toBe('/r/日本');
  });

  it('aborts a body that trickles', async () => {
    await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    }, SHORT_MS);
    await expect(get()).rejects.toMatchObject({
      kind: 'network',
      message: `no complete response within ${SHORT_MS} ms`,
    });
  });

  it('aborts a response that never begins', async () => {
    await serve(() => undefined, SHORT_MS);
    await expect(get()).rejects.toMatchObject({ kind: 'network' });
  });

  it('refuses a response beyond the size limit, compressed or not', async () => {
    await serve((request, response) => {
      const large = 'x'.repeat(20_000);
      if (request.params.has('a'))
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
      else response.end(large);
    });
    await expect(get()).rejects.toMatchObject({ kind: 'too_large' });
    const plain = requestor.send({ method: 'GET', url: server.url, body: null, authorization: null }, never);
    await expect(plain).rejects.toMatchObject({ kind: 'too_large' });
  });

  it('fails a connection that is not ready in time, the TLS handshake included', async () => {
    await serve(() => undefined);
    const silent = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    const impatient = new Requestor('agent/1.0', { ...LIMITS, connectMs: 50 });
    const url = `https://127.0.0.1:${port}/`;
    await expect(
      impatient.send({ method: 'GET', url, body: null, authorization: null }, never),
    ).rejects.toMatchObject({ kind: 'network', message: 'ETIMEDOUT' });
    impatient.close();
    await new Promise((closed) => silent.close(closed));
  });

  it('rejects on a reset and on a body shorter than announced', async () => {
    await serve((_request, response, nth) => {
      if (nth === 1) return void response.socket!.resetAndDestroy();
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.socket!.destroy());
    });
    await expect(get()).rejects.toMatchObject({ kind: 'network', message: 'ECONNRESET' });
    await expect(get()).rejects.toMatchObject({ kind: 'network' });
  });

  it('rejects at once with the reason of the signal of the caller', async () => {
    const giveUp = new AbortController();
    await serve(() => giveUp.abort(new Error('cancelled')));
    await expect(get(giveUp.signal)).rejects.toThrow('cancelled');
    await expect(get(giveUp.signal)).rejects.toThrow('cancelled');
    expect(server.all).toHaveLength(1);
  });

  it('reuses a connection', async () => {
    const ports = new Set<number | undefined>();
    await serve((_request, response) => {
      ports.add(response.socket?.remotePort);
      sendJson(response, 200, {});
    });
    await get();
    await get();
    expect(ports.size).toBe(1);
  });

  it('throws errors without the token', async () => {
    const gone = createServer();
    await new Promise<void>((listening) => gone.listen(0, '127.0.0.1', listening));
    const { port } = gone.address() as AddressInfo;
    await new Promise((closed) => gone.close(closed));
    await serve(() => undefined);
    const url = `http://127.0.0.1:${port}/`;
    const error: unknown = await requestor
      .send({ method: 'GET', url, body: null, authorization: 'Bearer SECRET' }, never)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'ECONNREFUSED' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('SECRET');
    expect((error as Error).cause).toBeUndefined();
  });

  it('leaves no listener on the signal of the caller', async () => {
    await serve((_request, response, nth) =>
      nth === 1 ? sendJson(response, 200, {}) : void response.socket!.resetAndDestroy(),
    );
    const { signal } = new AbortController();
    await get(signal);
    await expect(get(signal)).rejects.toMatchObject({ kind: 'network' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ignores a proxy from the environment', async () => {
    await serve((_request, response) => sendJson(response, 200, {}));
    const { http_proxy: former } = process.env;
    process.env.http_proxy = 'http://127.0.0.1:9';
    try {
      expect((await get()).status).toBe(200);
    } finally {
      if (former === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = former;
    }
  });
});
