import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { closedAfterTests } from './opened.js';

/** Shorter than the timeouts of a test and of a webhook. */
const TIMEOUT_MS = 20_000;

/** Everything that has arrived so far, and a way to wait for more. */
export class Inbox<T> {
  readonly all: T[] = [];
  private waiting: (() => void)[] = [];

  add(item: T): void {
    this.all.push(item);
    for (const wake of this.waiting.splice(0)) wake();
  }

  /** Everything received, once there are at least `count` items; fails after 20 s. */
  async received(count: number): Promise<readonly T[]> {
    const tooLate = AbortSignal.timeout(TIMEOUT_MS);
    while (this.all.length < count) {
      await new Promise<void>((resolve, reject) => {
        this.waiting.push(resolve);
        tooLate.addEventListener('abort', () =>
          reject(new Error(`${this.all.length} of ${count} arrived within ${TIMEOUT_MS} ms`)),
        );
      });
    }
    return this.all;
  }
}

export interface ReceivedRequest {
  method: string;
  /** Path and query as received. */
  url: string;
  path: string;
  params: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** The body parsed as a form. */
  form: URLSearchParams;
}

/**
 * How a request is answered: once `after` has settled, after `delayMs`, never (`hang`), or by resetting the connection.
 */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  delayMs?: number;
  after?: Promise<unknown>;
  fault?: 'hang' | 'reset';
}
export type Answers = Answer | ((request: ReceivedRequest, index: number) => Answer);

/** Writes the response itself; `nth` counts requests from 1. */
export type Handler = (request: ReceivedRequest, response: ServerResponse, nth: number) => void;

/**
 * An HTTP server on loopback that records requests and answers them as configured; 200 without a body by default. It is
 * closed after the tests of the file.
 */
export class HttpReceiver extends Inbox<ReceivedRequest> {
  private answers: Answers = {};

  private constructor(private readonly server: Server) {
    super();
  }

  /** Starts a server that responds as described by `answers`. */
  static async start(answers: Answers = {}): Promise<HttpReceiver> {
    const receiver = await HttpReceiver.serve((request, response, nth) => {
      const { answers: current } = receiver;
      void respond(response, typeof current === 'function' ? current(request, nth - 1) : current);
    });
    receiver.answers = answers;
    return receiver;
  }

  /** Starts a server with a handler, for responses that {@link Answer} cannot describe. */
  static async serve(handler: Handler): Promise<HttpReceiver> {
    const server = createServer();
    const receiver = new HttpReceiver(server);
    server.on('request', (request, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const body = Buffer.concat(chunks).toString('utf8');
        const { pathname: path, searchParams: params } = new URL(url, 'http://loopback');
        const received = { method, url, path, params, headers, body, form: new URLSearchParams(body) };
        receiver.add(received);
        handler(received, response, receiver.all.length);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  /** Without a path. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Applies to requests that arrive from now on. */
  answerWith(answers: Answers): void {
    this.answers = answers;
  }

  readonly close = closedAfterTests(async () => {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  });
}

async function respond(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', delayMs = 0, after, fault }: Answer,
): Promise<void> {
  await after;
  if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
  if (fault === 'hang') return;
  if (fault === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(status, headers).end(body);
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message as received over the wire, headers first. */
  raw: string;
}

/** An SMTP server on loopback that records every message. */
export class SmtpReceiver extends Inbox<ReceivedMail> {
  /** When set, every message is refused from now on, e.g. `{ code: 550, text: 'no such user' }`. */
  refusal: { code: number; text: string } | null = null;
  /** A recipient that is refused for the time being. */
  refusedRecipient: string | null = null;

  private constructor(private readonly server: SMTPServer) {
    super();
  }

  static async start(): Promise<SmtpReceiver> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onRcptTo: ({ address }, _session, done) =>
        done(
          address === receiver.refusedRecipient
            ? Object.assign(new Error('try again later'), { responseCode: 450 })
            : null,
        ),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (receiver.refusal !== null) {
            done(Object.assign(new Error(receiver.refusal.text), { responseCode: receiver.refusal.code }));
            return;
          }
          const { mailFrom, rcptTo } = session.envelope;
          receiver.add({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('utf8'),
          });
          done();
        });
      },
    });
    const receiver = new SmtpReceiver(server);
    // Tests abort connections on purpose.
    server.on('error', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  readonly close = closedAfterTests(() => new Promise<void>((resolve) => this.server.close(resolve)));
}
