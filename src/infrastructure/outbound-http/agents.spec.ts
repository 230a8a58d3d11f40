import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { onLinux } from '../../../test/support/skip-unless.js';
import { OutboundHttpClient, type OutboundRequest } from './outbound-http-client.js';

describe('the connections of outbound requests', () => {
  let server: Server;
  let base: string;
  let handle: RequestListener;
  let client: OutboundHttpClient;

  beforeEach(async () => {
    server = createServer((request, response) => handle(request, response));
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new OutboundHttpClient(['127.0.0.0/8']);
  });
  afterEach(async () => {
    client.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  const get = (path: string, extra: Partial<OutboundRequest> = {}) =>
    client.request({ method: 'GET', url: base + path, timeoutMs: 5_000, ...extra });

  it.each<[string, RequestListener]>([
    ['before the response', () => undefined],
    ['during the body', (_request, response) => void response.write('half')],
  ])('destroys the connection of a request that timed out %s', async (_when, listener) => {
    const ports: (number | undefined)[] = [];
    let closed: Promise<unknown> = Promise.resolve();
    handle = (request, response) => {
      ports.push(request.socket.remotePort);
      closed = new Promise((done) => request.socket.once('close', done));
      listener(request, response);
    };
    await expect(get('/', { timeoutMs: 1_500 })).rejects.toMatchObject({ code: 'timeout' });
    await closed;
    handle = (request, response) => {
      ports.push(request.socket.remotePort);
      response.end('fine');
    };
    expect((await get('/')).body.toString()).toBe('fine');
    expect(new Set(ports).size).toBe(2);
  });

  it('closes pooled connections when the application ends', async () => {
    server.keepAliveTimeout = 0;
    let closed: Promise<unknown> = Promise.resolve();
    handle = (request, response) => {
      closed = new Promise((done) => request.socket.once('close', done));
      response.end();
    };
    const app = await NestFactory.createApplicationContext(
      { module: class {}, providers: [{ provide: OutboundHttpClient, useFactory: () => client }] },
      { logger: false },
    );
    await get('/');
    await app.close();
    await closed;
  });

  onLinux().it('sends TCP keepalive probes while it waits for a response', async () => {
    let received: (port: number) => void;
    const port = new Promise<number>((resolve) => (received = resolve));
    handle = (request) => received(request.socket.remotePort!);
    const stop = new AbortController();
    const pending = get('/', { signal: stop.signal }).catch(() => null);
    const hex = (number: number) => `:${number.toString(16).toUpperCase().padStart(4, '0')}`;
    // Other connections may have used the same port before.
    const [local, remote] = [hex(await port), hex((server.address() as AddressInfo).port)];
    // Fields of /proc/net/tcp: addresses, state, queues, then the timer: its type (2 is keepalive) and hundredths of
    // a second.
    const timer = (): [kind: number, hundredths: number] => {
      const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
      const fields = lines
        .map((line) => line.trim().split(/\s+/))
        .find((all) => all[1]?.endsWith(local) && all[2]?.endsWith(remote));
      const [kind = '0', hundredths = '0'] = fields?.[5]?.split(':') ?? [];
      return [parseInt(kind, 16), parseInt(hundredths, 16)];
    };
    while (timer()[0] !== 2) await new Promise((tick) => setTimeout(tick, 10));
    expect(timer()[1]).toBeLessThanOrEqual(3_000);
    stop.abort();
    await pending;
  });
});
