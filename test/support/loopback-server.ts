import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  path: string;
  params: URLSearchParams;
  form: URLSearchParams;
  headers: IncomingMessage['headers'];
}

/** A real HTTP server on a free port of the loopback, answering as the test says and remembering what it was asked. */
export class LoopbackServer {
  readonly received: ReceivedRequest[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(
    answer: (request: ReceivedRequest, response: ServerResponse, nth: number) => void,
  ): Promise<LoopbackServer> {
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const url = new URL(incoming.url ?? '/', 'http://loopback');
        const request: ReceivedRequest = {
          method: incoming.method ?? '',
          path: url.pathname,
          params: url.searchParams,
          form: new URLSearchParams(Buffer.concat(chunks).toString('utf8')),
          headers: incoming.headers,
        };
        loopback.received.push(request);
        answer(request, response, loopback.received.length);
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const loopback = new LoopbackServer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return loopback;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
