import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { WebSocketServer } from 'ws';
import { IdentityProvider } from '../src/access/sign-on/identity-provider.js';
import { SystemClock } from '../src/common/clock.js';
import { parseEnvironment } from '../src/config/environment.js';
import { MediaMissing, MediaStore } from '../src/content/media/media-store.js';
import type { NameResolver } from '../src/infrastructure/outbound-http/name-resolver.js';
import { OutboundHttpClient } from '../src/infrastructure/outbound-http/outbound-http-client.js';
import { useProxy } from '../src/infrastructure/outbound-http/proxy-tunnel.js';
import { startTracing } from '../src/infrastructure/tracing/tracing.js';
import { Requestor, REQUESTOR_LIMITS } from '../src/platforms/http/requestor.js';
import { socketTexts } from '../src/platforms/http/socket-texts.js';
import { HttpProxy } from './support/http-proxy.js';
import { HttpReceiver, sendJson } from './support/receivers.js';

const ANYWHERE = ['0.0.0.0/0', '::/0'];
const PUBLIC = '93.184.216.34';
const never = new AbortController().signal;
const toPublic: NameResolver = () => Promise.resolve([{ address: PUBLIC, family: 4 }]);
const toNothing: NameResolver = () => Promise.reject(new Error('no name server'));

function use(HTTPS_PROXY: string, NO_PROXY: string[] = []): void {
  useProxy({ OUTBOUND_USE_PROXY: true, HTTPS_PROXY, NO_PROXY });
}

describe('behind an HTTP proxy', () => {
  let target: HttpReceiver;
  let proxy: HttpProxy;
  const closed: (() => unknown)[] = [];
  const closing = <T extends { close(): unknown }>(one: T): T => {
    closed.push(() => one.close());
    return one;
  };

  beforeEach(async () => {
    target = await HttpReceiver.serve((_request, response) => sendJson(response, 200, { is: 'there' }));
    proxy = await HttpProxy.start(target.url);
    use(proxy.url);
  });
  afterEach(async () => {
    useProxy({ OUTBOUND_USE_PROXY: false, NO_PROXY: [] });
    for (const close of closed.splice(0)) await close();
    await proxy.close();
    await target.close();
  });

  const authorities = () => proxy.asked.map(({ authority }) => authority);
  const ask = (url: string, connectMs = REQUESTOR_LIMITS.connectMs) =>
    closing(new Requestor('agent/1.0', { ...REQUESTOR_LIMITS, connectMs })).send(
      { method: 'GET', url, body: null, authorization: null },
      never,
    );
  const post = (url: string, resolve: NameResolver, allowed: string[] = []) =>
    closing(new OutboundHttpClient(allowed, resolve)).request({
      method: 'POST',
      url,
      body: '{}',
      timeoutMs: 10_000,
    });

  it('requests to platforms go through it, which resolves their names', async () => {
    expect(await ask('http://platform.example/r/new.json')).toMatchObject({ text: '{"is":"there"}' });
    expect(target.all[0]).toMatchObject({ path: '/r/new.json', headers: { host: 'platform.example' } });
    expect(authorities()).toEqual(['platform.example:80']);
  });

  it('requests to webhooks go through it, to the address that was checked', async () => {
    expect(await post('http://hooks.example:8080/x', toPublic)).toMatchObject({ status: 200 });
    expect(target.all[0]).toMatchObject({ body: '{}', headers: { host: 'hooks.example:8080' } });
    expect(await post('http://[2606:4700::1111]/', toNothing)).toMatchObject({ status: 200 });
    expect(authorities()).toEqual([`${PUBLIC}:8080`, '[2606:4700::1111]:80']);
  });

  it('connections of other protocols go through it, to the address that was checked', async () => {
    const client = closing(new OutboundHttpClient([], toPublic));
    const socket = await client.openSocket('http://broker.example:5672', never);
    socket.end('GET /there HTTP/1.1\r\nhost: broker\r\nconnection: close\r\n\r\n');
    expect(await text(socket)).toContain('{"is":"there"}');
    const encrypted = client.openSocket('https://broker.example:5671', never);
    await expect(encrypted).rejects.toMatchObject({ code: 'tls_failed' });
    expect(authorities()).toEqual([`${PUBLIC}:5672`, `${PUBLIC}:5671`]);
  });

  it.each([
    ['a name within the network', 'http://intranet.example/', '10.0.0.7'],
    ['an address within the network', 'http://10.0.0.7/', null],
    ['the metadata of a cloud', 'http://metadata.example/', '169.254.169.254'],
    ['the proxy itself', 'http://localhost/', null],
  ])('%s is refused before it gets a request', async (_what, url, address) => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const resolve: NameResolver = () => Promise.resolve([{ address: address!, family: 4 }]);
    await expect(post(url, resolve)).rejects.toMatchObject({ code: 'address_refused' });
    expect(proxy.asked).toEqual([]);
  });

  it('names are left to it where every address is allowed', async () => {
    expect(await post('http://site.example/', toNothing, ANYWHERE)).toMatchObject({ status: 200 });
    expect(authorities()).toEqual(['site.example:80']);
  });

  it('the identity provider, the bucket and the collector are reached through it', async () => {
    const issuer = 'http://accounts.example';
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/sign-in`,
      token_endpoint: `${issuer}/token`,
    };
    await target.close();
    target = await HttpReceiver.serve(({ path }, response) =>
      path.includes('openid') ? sendJson(response, 200, metadata) : sendJson(response, 404, {}),
    );
    const through = closing(await HttpProxy.start(target.url));
    use(through.url);
    const environment = parseEnvironment({
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'id',
      OIDC_CLIENT_SECRET: 'secret',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
      MEDIA_S3_BUCKET: 'bucket',
      MEDIA_S3_ENDPOINT: 'http://store.example:9000',
      MEDIA_S3_ACCESS_KEY_ID: 'id',
      MEDIA_S3_SECRET_ACCESS_KEY: 'key',
    });
    const { address } = await new IdentityProvider(environment, new SystemClock()).begin('/');
    expect(address.href).toContain(`${issuer}/sign-in?`);
    const store = await MediaStore.open(environment);
    await expect(store.read('a/b', 1)).rejects.toThrow(MediaMissing);
    const tracing = await startTracing(environment);
    tracing.begin('work', SpanKind.INTERNAL, {}).end();
    await tracing.onApplicationShutdown();
    expect(target.all.at(-1)).toMatchObject({ method: 'POST', path: '/v1/traces' });
    expect(through.asked.map(({ authority }) => authority)).toEqual([
      'accounts.example:80',
      'store.example:9000',
      'collector.example:4318',
    ]);
  });

  it('streams of posts are read through it', async () => {
    const stream = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    stream.on('connection', (socket) => socket.send('a post'));
    await once(stream, 'listening');
    const { port } = stream.address() as AddressInfo;
    const through = closing(await HttpProxy.start(`http://127.0.0.1:${port}`));
    closing({ close: () => stream.close() });
    use(through.url);
    for await (const texts of socketTexts('ws://stream.example/subscribe', 'agent/1.0', never)) {
      if (texts.length === 0) continue;
      expect(texts).toEqual(['a post']);
      break;
    }
    expect(through.asked).toMatchObject([{ authority: 'stream.example:80' }]);
  });

  it('TLS begins within the tunnel and names the host', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closing(server);
    const { port } = server.address() as AddressInfo;
    use(closing(await HttpProxy.start(`http://127.0.0.1:${port}`)).url);
    const asking = ask('https://secure.example/');
    const [socket] = (await once(server, 'connection')) as [Socket];
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    await expect(asking).rejects.toThrow('ECONNRESET');
    // A handshake record (22) of TLS, with the name for which the certificate must be.
    expect([bytes[0], bytes[1]]).toEqual([22, 3]);
    expect(bytes.toString('latin1')).toContain('secure.example');
  });

  it('a pooled tunnel is used again, and replaced when it has broken', async () => {
    await target.close();
    let nth = 0;
    target = await HttpReceiver.serve((_request, response) => {
      nth += 1;
      if (nth === 3) response.socket?.resetAndDestroy();
      else sendJson(response, 200, { nth });
    });
    const through = closing(await HttpProxy.start(target.url));
    use(through.url);
    const client = closing(new OutboundHttpClient([], toPublic));
    const get = () => client.request({ method: 'GET', url: 'http://hooks.example/', timeoutMs: 10_000 });
    await get();
    await get();
    expect(through.asked).toHaveLength(1);
    expect((await get()).body.toString()).toBe('{"nth":4}');
    expect(through.asked).toHaveLength(2);
  });

  it('hosts of NO_PROXY and this machine are reached without it', async () => {
    const port = new URL(target.url).port;
    use(proxy.url, ['store.example']);
    expect(await ask(target.url)).toMatchObject({ status: 200 });
    const direct: NameResolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await post(`http://store.example:${port}/`, direct, ['127.0.0.0/8'])).toMatchObject({
      status: 200,
    });
    await expect(post(`http://store.example:${port}/`, direct)).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(proxy.asked).toEqual([]);
  });

  describe('that demands credentials', () => {
    let closedProxy: HttpProxy;
    beforeEach(async () => {
      closedProxy = closing(await HttpProxy.start(target.url, 'us@er:pass%word!'));
    });
    const withPassword = (password: string) => closedProxy.url.replace('//', `//us%40er:${password}@`);

    it('they are sent', async () => {
      use(withPassword('pass%word%21'));
      expect(await ask('http://platform.example/')).toMatchObject({ status: 200 });
      expect(target.all[0]!.headers['proxy-authorization']).toBeUndefined();
    });

    it('wrong ones are said to be wrong, and no error shows them', async () => {
      use(withPassword('sesame'));
      const errors: unknown[] = [
        await ask('http://platform.example/').catch((error: unknown) => error),
        await post('http://hooks.example/', toPublic).catch((error: unknown) => error),
      ];
      for (const error of errors) {
        expect(error).toMatchObject({ message: 'The HTTP proxy demands other credentials (407)' });
        expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/sesame|us(@|%40)er|Basic/);
      }
      expect(target.all).toEqual([]);
    });
  });

  it.each([
    [403, 'The HTTP proxy refuses the connection (403)'],
    [503, 'The HTTP proxy could not reach the server (503)'],
  ])('its refusal with %s is named', async (status, message) => {
    proxy.refusal = status;
    await expect(ask('http://platform.example/')).rejects.toMatchObject({ kind: 'network', message });
    await expect(post('http://hooks.example/', toPublic)).rejects.toMatchObject({
      code: 'connect_failed',
      message,
    });
  });

  it('one that is down or silent is named', async () => {
    proxy.refusal = 0;
    await expect(ask('http://platform.example/', 200)).rejects.toThrow(
      'The HTTP proxy did not open a connection within 200 ms',
    );
    const gone = await HttpProxy.start(target.url);
    use(gone.url);
    await gone.close();
    await expect(ask('http://platform.example/')).rejects.toThrow(
      'The HTTP proxy could not be reached (ECONNREFUSED)',
    );
  });
});
