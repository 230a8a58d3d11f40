import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SystemClock } from '../../common/clock.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import { until } from '../../../test/support/until.js';
import { NATS } from './nats-transport.js';

const PASSWORD = 'open-sesame';
const never = new AbortController().signal;
const INFO = 'INFO {"server_id":"s","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}\r\n';
const TLS_INFO = INFO.replace('"proto"', '"tls_required":true,"proto"');
const TLS_HANDSHAKE = 22;

/** Answers each command of a client with the next part of a script, which may name the client's inbox as REPLY. */
class ScriptedServer {
  readonly sockets = new Set<Socket>();
  received = Buffer.alloc(0);

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(greeting: string, answers: Readonly<Record<string, string>>): Promise<ScriptedServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const scripted = new ScriptedServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket: Socket) => {
      scripted.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => scripted.sockets.delete(socket));
      socket.write(greeting);
      socket.on('data', (bytes) => {
        scripted.received = Buffer.concat([scripted.received, bytes]);
        for (const line of bytes.toString('latin1').split('\r\n')) {
          const [command = '', , reply = ''] = line.split(' ');
          const answer = answers[command]?.replaceAll('REPLY', reply);
          if (answer === 'END') socket.destroy();
          else if (answer !== undefined) socket.write(answer);
        }
      });
    });
    return scripted;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

const confirming = (json: string): string => `MSG REPLY 1 ${json.length}\r\n${json}\r\n`;
const WELCOME = { PING: 'PONG\r\n', HPUB: confirming('{"stream":"S","seq":1}') };

describe('events for a NATS server', () => {
  const opened: { close(): unknown }[] = [];

  afterEach(() => {
    for (const one of opened.splice(0).reverse()) one.close();
  });

  const start = async (
    greeting: string,
    answers: Readonly<Record<string, string>> = WELCOME,
  ): Promise<ScriptedServer> => {
    const server = await ScriptedServer.start(greeting, answers);
    opened.push(server);
    return server;
  };
  const send = (
    { port }: { port: number },
    {
      allowed = ['127.0.0.0/8'],
      timeoutMs = 5_000,
      scheme = 'nats',
      user = 'me@',
      secrets = [PASSWORD],
      signal = never,
      host = 'nats.example',
    } = {},
  ): Promise<DeliveryOutcome> => {
    const http = new OutboundHttpClient(allowed, () =>
      Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    );
    const transport = NATS.create({ http, clock: new SystemClock(), timeoutMs, concurrency: 16 });
    opened.push(http, { close: () => transport.close?.() });
    return transport.send({
      destination: 'one',
      url: `${scheme}://${user}${host}:${port}/jobs.done`,
      secrets,
      id: 'dlv_1',
      body: '{}',
      mediaType: 'application/json',
      type: 'job.completed',
      signal,
    });
  };

  it('are delivered when a stream confirms them', async () => {
    const server = await start(INFO);
    expect(await send(server)).toEqual({ ok: true, responseCode: null, durationMs: expect.any(Number) });
    expect(server.received.toString()).toContain('"user":"me","pass":"open-sesame"');
  });

  it('go with a token where the address has no user', async () => {
    const server = await start(INFO);
    expect(await send(server, { user: '' })).toMatchObject({ ok: true });
    expect(server.received.toString()).toContain('"auth_token":"open-sesame"');
  });

  it.each([
    ['refuses the password', INFO, { CONNECT: "-ERR 'Authorization Violation'\r\n" }, 'refused the user'],
    ['speaks HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', {}, 'bad_answer: The server does not speak NATS'],
    ['introduces itself with no JSON', 'INFO {x}\r\n', {}, 'bad_answer: The server does not speak NATS'],
    ['says what no one can read', INFO, { CONNECT: 'garbage\r\n' }, 'bad_answer: The server does not'],
    [
      'confirms with nonsense',
      INFO,
      { ...WELCOME, HPUB: 'MSG x y z\r\n' },
      'bad_answer: The server does not',
    ],
    ['never ends its first line', 'INFO {'.padEnd(70_000, ' '), {}, 'bad_answer: '],
    ['leaves at once', INFO, { CONNECT: 'END' }, 'reset: The server closed the connection'],
    ['leaves before it confirms', INFO, { PING: 'PONG\r\n', HPUB: 'END' }, 'reset: '],
    ['is full', INFO, { ...WELCOME, HPUB: confirming('{"error":{"code":503,"err_code":10077}}') }, '10077'],
    ['answers nothing of sense', INFO, { ...WELCOME, HPUB: confirming('thanks') }, 'no stream'],
    ['answers null', INFO, { ...WELCOME, HPUB: confirming('null') }, 'no stream'],
    ['answers at length', INFO, { ...WELCOME, HPUB: confirming(`"${'x'.repeat(5_000)}"`) }, 'no stream'],
    [
      'sends too much',
      INFO,
      { ...WELCOME, HPUB: `MSG a 9 17000000\r\n${'x'.repeat(17_000_000)}` },
      'too much',
    ],
  ])('fail with clear words when it %s', async (_case, greeting, answers, error) => {
    const outcome = await send(await start(greeting, answers));
    expect(outcome).toMatchObject({ ok: false, responseCode: null, error: expect.stringContaining(error) });
    expect(outcome.error).not.toContain(PASSWORD);
  });

  it.each([
    ['connection', ''],
    ['confirmation', INFO],
  ])('fail after the time limit without a %s', async (what, greeting) => {
    const outcome = await send(await start(greeting, { PING: 'PONG\r\n' }), { timeoutMs: 300 });
    expect(outcome.error).toMatch(RegExp(`^timeout: No ${what} .*broker within 300 ms$`));
  });

  it.each([
    ['connection', ''],
    ['confirmation', INFO],
  ])('end with the signal while a %s is awaited', async (_what, greeting) => {
    const server = await start(greeting, { PING: 'PONG\r\n' });
    const aborter = new AbortController();
    const sent = send(server, { signal: aborter.signal });
    aborter.abort();
    expect(await sent).toMatchObject({ ok: false });
  });

  it.each([['nats.example'], ['127.0.0.1'], ['localhost']])(
    'reach no address that the operator does not allow: %s',
    async (host) => {
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const outcome = await send(await start(INFO), { allowed: [], host });
      expect(outcome.error).toMatch(/^address_refused: /);
    },
  );

  it.each([
    ['the server demands it', 'nats', TLS_INFO],
    ['the address demands it', 'nats+tls', TLS_INFO.replace('tls_required', 'tls_available')],
  ])('go with TLS where %s, and nothing is said before', async (_case, scheme, greeting) => {
    const server = await start(greeting);
    const sent = send(server, { scheme, timeoutMs: 300 });
    await until(() => server.received.length > 0);
    expect(server.received[0]).toBe(TLS_HANDSHAKE);
    expect(server.received.toString('latin1')).toContain('nats.example');
    expect(await sent).toMatchObject({ ok: false });
    expect(server.received.toString('latin1')).not.toContain(PASSWORD);
  });

  it('send no password to a server without TLS when the address demands it', async () => {
    const server = await start(INFO);
    expect(await send(server, { scheme: 'nats+tls' })).toMatchObject({
      error: expect.stringContaining('has no TLS'),
    });
    expect(server.received).toHaveLength(0);
  });

  it('leave no connection when the service stops', async () => {
    const server = await start(INFO);
    expect(await send(server)).toMatchObject({ ok: true });
    opened.pop()!.close();
    await until(() => server.sockets.size === 0);
  });

  it.each([
    ['without a secret', []],
    ['with an empty subject', [PASSWORD]],
  ])('are not sent %s', async (_case, secrets) => {
    const port = secrets.length === 0 ? 9 : ('9/?' as unknown as number);
    expect(await send({ port }, { secrets })).toMatchObject({ ok: false, permanent: true });
  });
});

describe('the address of a NATS server for a webhook', () => {
  it.each([
    ['nats+tls://me@nats.example/jobs', null],
    ['nats+tls://me@169.254.169.254/jobs', 'must point to a public address'],
    ['nats://me@localhost/jobs', 'must point to a public address'],
    ['nats://me@0x7f.1/jobs', 'must point to a public address'],
    ['nats://me@nats.example:25/jobs', 'must not use port 25'],
    ['nats://me@nats.example', 'must name'],
  ])('%s is refused as addresses of HTTP are', (address, reason) => {
    const http = new OutboundHttpClient([]);
    const refusal = NATS.refuse(address, http);
    expect(refusal).toEqual(reason === null ? null : expect.stringContaining(reason));
    http.close();
  });
});
