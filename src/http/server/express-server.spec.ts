import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express, Request, Response } from 'express';
import { ExpressServer } from './express-server.js';

describe('ExpressServer', () => {
  let adapter: ExpressServer;
  let express: Express;
  let server: Server;

  beforeEach(async () => {
    adapter = new ExpressServer();
    adapter.initHttpServer();
    express = adapter.getInstance<Express>();
    server = adapter.getHttpServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => server.close());

  const get = (path: string) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);

  it('creates requests and responses with the prototypes that Express gives them', async () => {
    const prototypes = new Promise((resolve) =>
      // Before Express sees them.
      server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
        resolve([request, response].map((message) => Object.getPrototypeOf(message) as unknown)),
      ),
    );
    express.get('/', (_request, response) => void response.end());
    await get('/');
    const [request, response] = (await prototypes) as object[];
    expect(request).toBe(express.request);
    expect(response).toBe(express.response);
  });

  it('has the members of Express and of Node.js', async () => {
    express.set('query parser', 'simple');
    express.get('/:name', (request: Request<{ name: string }>, response: Response) => {
      const { app, params, query, method, headers } = request;
      response.status(202).json({
        isApp: app === express && response.app === express,
        name: params.name,
        q: query.q,
        host: request.get('host') === headers.host,
        method,
      });
    });
    const response = await get('/a?q=b');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      202,
      'application/json; charset=utf-8',
    ]);
    expect(await response.json()).toEqual({ isApp: true, name: 'a', q: 'b', host: true, method: 'GET' });
  });

  it('sends a long list with the type, tag and bytes of a short one', async () => {
    const item = (ms: number) => ({
      toJSON: () => {
        const end = performance.now() + ms;
        while (performance.now() < end);
        return 'é'.repeat(2_000);
      },
    });
    express.get('/:ms', (request: Request<{ ms: string }>, response: Response) => {
      adapter.reply(response, { rows: [item(Number(request.params.ms)), item(0)] }, 201);
    });
    const answers = await Promise.all(
      ['/0', '/6'].map(async (path) => {
        const response = await get(path);
        const names = ['content-type', 'etag', 'content-encoding', 'vary'];
        return [response.status, names.map((name) => response.headers.get(name)), await response.text()];
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]![1]).not.toContain(null);
  });
});
