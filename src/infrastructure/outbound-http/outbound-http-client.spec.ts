import { getEventListeners, once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, Readable, Writable } from 'node:stream';
import { jest } from '@jest/globals';
import { ConfigurationError } from '../../config/environment.js';
import { OutboundHttpClient, type OutboundRequest } from './outbound-http-client.js';

const LOOPBACK = ['127.0.0.0/8'];

describe('OutboundHttpClient', () => {
  let server: Server;
  let base: string;
  let handle: RequestListener;
  let client: OutboundHttpClient;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = createServer((request, response) => handle(request, response));
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => server.close(closed)));
  beforeEach(() => (client = new OutboundHttpClient(LOOPBACK)));
  afterEach(() => {
    client.close();
    for (const socket of sockets) socket.destroy();
  });

  const get = (path: string, extra: Partial<OutboundRequest> = {}) =>
    client.request({ method: 'GET', url: base + path, timeoutMs: 5_000, ...extra });

  it('sends a stream of a stated size', async () => {
    let seen: [string | undefined, string] | null = null;
    handle = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen = [request.headers['content-length'], body];
        response.end();
      });
    };
    const stream = Readable.from(['one ', 'two'], { objectMode: false });
    expect((await get('/', { method: 'PUT', body: { stream, bytes: 7 } })).status).toBe(200);
    expect(seen).toEqual(['7', 'one two']);
  });

  it('sends no more of a stream once it was refused', async () => {
    handle = (_request, response) => void response.writeHead(403).end('no');
    const stream = new PassThrough();
    stream.write('begun');
    const answer = await get('/', { method: 'PUT', body: { stream, bytes: 1_000_000 } });
    expect([answer.status, answer.body.toString()]).toEqual([403, 'no']);
    if (!stream.destroyed) await once(stream, 'close');
  });

  it('fails when a stream does', async () => {
    handle = (request) => void request.resume();
    const stream = new PassThrough();
    stream.destroy(new Error('the disk is gone'));
    const answer = get('/', { method: 'PUT', body: { stream, bytes: 7 } });
    await expect(answer).rejects.toMatchObject({ name: 'OutboundError' });
  });

  it('sends method, headers and body, and returns status, headers and body', async () => {
    let seen: { request: IncomingMessage; body: string } | null = null;
    handle = (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        seen = { request, body };
        response.writeHead(201, { 'x-kind': 'made' }).end('grüße');
      });
    };
    const answer = await get('/hook?x=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":"ü"}',
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-kind']).toBe('made');
    expect(answer.body.toString()).toBe('grüße');
    expect(answer.truncated).toBe(false);
    expect(seen!.body).toBe('{"a":"ü"}');
    expect(seen!.request.url).toBe('/hook?x=1');
    expect(seen!.request.headers['content-length']).toBe('10');
    expect(seen!.request.headers.host).toBe(new URL(base).host);
    expect(seen!.request.headers['accept-encoding']).toBe('identity');
  });

  it('reuses a connection for the next request to the same host', async () => {
    const ports: (number | undefined)[] = [];
    handle = (request, response) => {
      ports.push(request.socket.remotePort);
      response.end();
    };
    await get('/');
    await get('/');
    expect(ports[0]).toBe(ports[1]);
  });

  it('retries once when a reused connection turns out to be closed', async () => {
    let requests = 0;
    handle = (request, response) => {
      requests += 1;
      if (requests === 2) request.socket.destroy();
      else response.end('ok');
    };
    await get('/');
    expect((await get('/')).body.toString()).toBe('ok');
    expect(requests).toBe(3);
  });

  it('does not retry when a new connection is reset', async () => {
    let requests = 0;
    handle = (request) => {
      requests += 1;
      request.socket.destroy();
    };
    await expect(get('/')).rejects.toMatchObject({ code: 'reset' });
    expect(requests).toBe(1);
  });

  it('stops reading an endless body at maxBytes and closes the connection', async () => {
    let hungUp!: () => void;
    const closed = new Promise<void>((resolve) => (hungUp = resolve));
    handle = (_request, response) => {
      const chunk = Buffer.alloc(8_192, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more).on('close', hungUp);
      more();
    };
    const answer = await get('/', { maxBytes: 10_000 });
    expect(answer.status).toBe(200);
    expect(answer.truncated).toBe(true);
    expect(answer.body.length).toBe(10_000);
    await closed;
  });

  it('reads a response with long headers, also over a second connection', async () => {
    handle = (_request, response) =>
      response.writeHead(200, { policy: 'x'.repeat(70_000), connection: 'close' }).end('body');
    for (const path of ['/a', '/b']) expect((await get(path)).body.toString()).toBe('body');
  });

  it('reads 64 KiB of a body unless told otherwise', async () => {
    handle = (_request, response) => response.end(Buffer.alloc(65_537));
    expect(await get('/')).toMatchObject({ truncated: true, body: { length: 65_536 } });
  });

  it('reads a body of exactly maxBytes completely', async () => {
    handle = (_request, response) => response.end('12345');
    expect(await get('/', { maxBytes: 5 })).toMatchObject({ truncated: false });
  });

  it.each<[string, RequestListener]>([
    ['never answers', () => {}],
    ['sends a head and no body', (_request, response) => void response.writeHead(200).flushHeaders()],
    [
      'trickles its body',
      (_request, response) => {
        const timer = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('applies one timeout to the whole request when the receiver %s', async (_what, listener) => {
    handle = listener;
    await expect(get('/', { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('times out while the resolver does not respond and while no connection is free', async () => {
    const hanging = new OutboundHttpClient([], () => new Promise(() => {}));
    await expect(
      hanging.request({ method: 'GET', url: 'http://slow.example.com/', timeoutMs: 30 }),
    ).rejects.toMatchObject({ code: 'timeout' });

    handle = () => {};
    const crowd = Array.from({ length: 40 }, () =>
      get('/', { timeoutMs: 200 }).catch((error: unknown) => error),
    );
    for (const error of await Promise.all(crowd)) expect(error).toMatchObject({ code: 'timeout' });
  });

  it('stops at once when the caller aborts, before and during the request', async () => {
    const controller = new AbortController();
    handle = () => controller.abort();
    await expect(get('/', { signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
    let reached = false;
    handle = () => (reached = true);
    await expect(get('/', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    expect(reached).toBe(false);
  });

  it('leaves no listener on a signal that outlives the request', async () => {
    const { signal } = new AbortController();
    handle = ({ url, socket }, response) => (url === '/' ? response.end('ok') : socket.destroy());
    await get('/', { signal });
    await expect(get('/reset', { signal })).rejects.toMatchObject({ code: 'reset' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('leaves no timer after the request', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    handle = (_request, response) => response.end('ok');
    await get('/', { timeoutMs: 54_321 });
    const timer = set.mock.results[set.mock.calls.findIndex(([, delay]) => delay === 54_321)]!.value;
    expect(clear).toHaveBeenCalledWith(timer);
    jest.restoreAllMocks();
  });

  it('reports refused connections, unknown names, broken HTTP and broken TLS', async () => {
    const closedPort = await new Promise<number>((resolve) => {
      const probe = createTcpServer().listen(0, '127.0.0.1', () => {
        const { port } = probe.address() as AddressInfo;
        probe.close(() => resolve(port));
      });
    });
    const at = (url: string) => client.request({ method: 'GET', url, timeoutMs: 5_000 });
    await expect(at(`http://127.0.0.1:${closedPort}/`)).rejects.toMatchObject({ code: 'connect_failed' });
    await expect(at(base.replace('http:', 'https:'))).rejects.toMatchObject({ code: 'tls_failed' });
    const unknown = new OutboundHttpClient([], () =>
      Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    );
    await expect(
      unknown.request({ method: 'GET', url: 'http://nowhere.example.com/', timeoutMs: 5_000 }),
    ).rejects.toMatchObject({ code: 'dns_failed' });
    const nonsense = createTcpServer((socket) => socket.resume().end('hello\r\n\r\n'));
    await new Promise<void>((ready) => nonsense.listen(0, '127.0.0.1', ready));
    await expect(at(`http://127.0.0.1:${(nonsense.address() as AddressInfo).port}/`)).rejects.toMatchObject({
      code: 'bad_answer',
    });
    await new Promise((closed) => nonsense.close(closed));
  });

  it('fails when the receiver changes the protocol without a request to do so', async () => {
    handle = ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    await expect(get('/')).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('reports a truncated body as a reset', async () => {
    handle = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => response.destroy());
    };
    await expect(get('/')).rejects.toMatchObject({ code: 'reset' });
  });

  it('ignores proxy settings of the environment', async () => {
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:9/';
    handle = (request, response) => response.end(request.url);
    try {
      expect((await get('/direct')).body.toString()).toBe('/direct');
    } finally {
      delete process.env.http_proxy;
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
  });

  describe('redirects', () => {
    const chain: RequestListener = (request, response) => {
      const step = Number(request.url!.slice(1));
      if (step === 0) response.end('goal');
      else response.writeHead(302, { location: `/${step - 1}` }).end();
    };

    it('are followed up to the maximum number', async () => {
      handle = chain;
      const answer = await get('/3', { maxRedirects: 3 });
      expect(answer.body.toString()).toBe('goal');
      expect(answer.url).toBe(`${base}/0`);
      await expect(get('/4', { maxRedirects: 3 })).rejects.toMatchObject({ code: 'too_many_redirects' });
    });

    it('are followed for a HEAD', async () => {
      handle = chain;
      expect((await get('/1', { method: 'HEAD', maxRedirects: 1 })).status).toBe(200);
    });

    it('are not followed for a POST', async () => {
      handle = chain;
      expect((await get('/1', { method: 'POST', body: 'x', maxRedirects: 3 })).status).toBe(302);
    });

    it.each([
      [300, false],
      [301, true],
      [302, true],
      [303, true],
      [304, false],
      [307, true],
      [308, true],
    ])('with status %i are followed: %s', async (status, isFollowed) => {
      handle = (request, response) =>
        request.url === '/'
          ? response.writeHead(status, { location: '/goal' }).end()
          : response.writeHead(204).end();
      expect((await get('/', { maxRedirects: 1 })).status).toBe(isFollowed ? 204 : status);
    });

    it('may name an address in UTF-8', async () => {
      const paths: (string | undefined)[] = [];
      handle = (request, response) => {
        paths.push(request.url);
        const location = Buffer.from('/図.png').toString('latin1');
        response.writeHead(request.url === '/a' ? 302 : 200, { location }).end();
      };
      await get('/a', { maxRedirects: 1 });
      expect(paths).toEqual(['/a', '/%E5%9B%B3.png']);
    });

    it('send credentials only to the same origin', async () => {
      const seen: unknown[][] = [];
      const see = ({ headers }: IncomingMessage) =>
        seen.push([headers.authorization, headers.cookie, headers['proxy-authorization'], headers['x-kind']]);
      const other = createServer((request, response) => {
        see(request);
        response.end();
      });
      await new Promise<void>((ready) => other.listen(0, '127.0.0.1', ready));
      const goal = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
      handle = (request, response) => {
        see(request);
        response.writeHead(302, { location: request.url === '/a' ? '/b' : goal }).end();
      };
      const headers = { authorization: 'Bearer x', cookie: 'c=1', 'proxy-authorization': 'y', 'x-kind': 'z' };
      await get('/a', { maxRedirects: 2, headers });
      const sent = Object.values(headers);
      expect(seen).toEqual([sent, sent, [undefined, undefined, undefined, 'z']]);
      client.close();
      await new Promise((closed) => other.close(closed));
    });
  });

  describe('download', () => {
    const collect = (sink: PassThrough): Promise<string> =>
      sink
        .setEncoding('utf8')
        .toArray()
        .then((all) => all.join(''));

    it('streams a body into the sink', async () => {
      handle = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('pixels');
      const sink = new PassThrough();
      const [result, text] = await Promise.all([
        client.download(`${base}/a.png`, () => sink, { timeoutMs: 5_000, maxBytes: 100 }),
        collect(sink),
      ]);
      expect(result).toMatchObject({ status: 200, bytes: 6, url: `${base}/a.png` });
      expect(result.headers['content-type']).toBe('image/png');
      expect(text).toBe('pixels');
    });

    it('stores a body of exactly the maximum size', async () => {
      handle = (_request, response) => response.end('12345');
      const sink = new PassThrough().resume();
      const limits = { timeoutMs: 5_000, maxBytes: 5 };
      expect(await client.download(base, () => sink, limits)).toMatchObject({ bytes: 5 });
    });

    it.each([302, 404])('opens no sink for a response with status %i', async (status) => {
      handle = (_request, response) => response.writeHead(status).end('gone');
      const openSink = (): Writable => {
        throw new Error('must not be opened');
      };
      expect(await client.download(base, openSink, { timeoutMs: 5_000, maxBytes: 100 })).toMatchObject({
        status,
        bytes: 0,
      });
    });

    it.each([
      ['announced', { 'content-length': '11' }],
      ['unannounced', {}],
    ])('rejects a body that is too large, %s', async (_what, headers) => {
      handle = (_request, response) => {
        response.writeHead(200, headers);
        response.write('12345');
        response.end('678901');
      };
      const sink = new PassThrough().resume();
      await expect(
        client.download(base, () => sink, { timeoutMs: 5_000, maxBytes: 10 }),
      ).rejects.toMatchObject({ code: 'too_large' });
    });

    it('reports a connection that closes during the download as a reset', async () => {
      handle = (_request, response) => {
        response.writeHead(200, { 'content-length': '10' });
        response.write('half', () => response.destroy());
      };
      const sink = new PassThrough().resume();
      await expect(
        client.download(base, () => sink, { timeoutMs: 5_000, maxBytes: 100 }),
      ).rejects.toMatchObject({ code: 'reset' });
    });

    it('reports a failing sink, and a timeout during the download', async () => {
      handle = (_request, response) => response.end('pixels');
      const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk full')) });
      await expect(
        client.download(base, () => full, { timeoutMs: 5_000, maxBytes: 100 }),
      ).rejects.toMatchObject({ code: 'sink_failed' });
      handle = (_request, response) => void response.write('half');
      const sink = new PassThrough().resume();
      await expect(
        client.download(base, () => sink, { timeoutMs: 100, maxBytes: 100 }),
      ).rejects.toMatchObject({ code: 'timeout' });
      expect(sink.destroyed).toBe(true);
    });
  });

  it('rejects an invalid address range on construction', () => {
    expect(() => new OutboundHttpClient(['10.0.0.0/8', 'intranet'])).toThrow(ConfigurationError);
    expect(() => new OutboundHttpClient(['10.0.0.0/33'])).toThrow(ConfigurationError);
  });
});
