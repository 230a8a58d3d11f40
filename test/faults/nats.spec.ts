import type { NatsConnection } from '@nats-io/nats-core';
import { NatsConnectionImpl, setTransportFactory } from '@nats-io/nats-core/internal';
import { connect } from 'node:net';
import { SystemClock } from '../../src/common/clock.js';
import { NatsSocket } from '../../src/deliver/transports/nats-socket.js';
import { NATS } from '../../src/deliver/transports/nats-transport.js';
import type { Transport } from '../../src/deliver/transports/transport.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from '../../src/messages/channels/channel.js';
import { type BreakableProxy, startBreakableProxy } from '../support/breakable-proxy.js';
import { skipUnless } from '../support/skip-unless.js';
import { hasNatsServer, startNatsServer } from './support/nats-server.js';

const PASSWORD = 'p@ss/wörd';
const TIMEOUT_MS = 5_000;
/** A publisher, one that cannot receive confirmations, and the one who reads the stream here. */
const CONFIGURATION = `
max_payload: 1MB
authorization {
  users = [
    { user: publisher, password: "${PASSWORD}", permissions: {
        publish: ["jobs.>", "none.>", "answered"], subscribe: ["_INBOX.>"] } }
    { user: deaf, password: "${PASSWORD}", permissions: { publish: ["jobs.>"], subscribe: ["nothing"] } }
    { user: reader, password: reader }
  ]
}`;

skipUnless(hasNatsServer(), 'there is no nats-server').describe(
  'events for a stream of a NATS server',
  () => {
    let stop: () => Promise<void>;
    let proxy: BreakableProxy;
    let reader: NatsConnection;
    const http = new OutboundHttpClient(['127.0.0.0/8']);
    let transport: Transport;

    beforeAll(async () => {
      const server = await startNatsServer(CONFIGURATION);
      stop = server.stop;
      proxy = await startBreakableProxy(server.url);
      reader = await connectedAs('reader', 'reader', server.url);
      await ask('$JS.API.STREAM.CREATE.EVENTS', {
        name: 'EVENTS',
        subjects: ['jobs.>'],
        max_msgs_per_subject: 3,
        discard: 'new',
        discard_new_per_subject: true,
      });
      reader.subscribe('answered', { callback: (_error, message) => void message.respond('thanks') });
    });
    beforeEach(async () => {
      transport = NATS.create({ http, clock: new SystemClock(), timeoutMs: TIMEOUT_MS, concurrency: 16 });
      await ask('$JS.API.STREAM.PURGE.EVENTS', {});
    });
    afterEach(() => transport.close?.());
    afterAll(async () => {
      await reader.close();
      await proxy.close();
      await stop();
      http.close();
    });

    const ask = async (subject: string, body: object): Promise<Record<string, unknown>> =>
      (await reader.request(subject, JSON.stringify(body), { timeout: TIMEOUT_MS })).json();
    const kept = async (): Promise<number> => {
      const { state } = await ask('$JS.API.STREAM.INFO.EVENTS', {});
      return (state as { messages: number }).messages;
    };
    const send = (
      subject: string,
      { id = 'dlv_1', secret = PASSWORD, body = '{}', user = 'publisher' } = {},
    ): Promise<DeliveryOutcome> =>
      transport.send({
        destination: 'one',
        url: `nats://${user}@${new URL(proxy.url).host}/${subject}`,
        secrets: [secret],
        id,
        body,
        mediaType: 'application/cloudevents+json',
        type: 'job.completed',
        signal: new AbortController().signal,
      });

    it('are messages that the stream has kept', async () => {
      const body = JSON.stringify({ text: 'grüße'.repeat(100_000) });
      expect(await send('jobs.done', { body })).toMatchObject({ ok: true, responseCode: null });
      const { message } = await ask('$JS.API.STREAM.MSG.GET.EVENTS', { last_by_subj: 'jobs.done' });
      const { data, hdrs } = message as { data: string; hdrs: string };
      expect(Buffer.from(data, 'base64').toString()).toBe(body);
      expect(Buffer.from(hdrs, 'base64').toString()).toBe(
        'NATS/1.0\r\nNats-Msg-Id: dlv_1\r\nContent-Type: application/cloudevents+json\r\n\r\n',
      );
    });

    it('are kept once when they are sent again', async () => {
      expect(await send('jobs.done', { id: 'dlv_2' })).toMatchObject({ ok: true });
      expect(await send('jobs.done', { id: 'dlv_2' })).toMatchObject({ ok: true });
      expect(await kept()).toBe(1);
    });

    it('are sent together over one connection', async () => {
      const before = proxy.firstBytes.length;
      const ids = Array.from({ length: 100 }, (_, number) => `many_${number}`);
      const outcomes = await Promise.all(
        ids.map((id, number) => send(`jobs.done`, { id, body: `${number}` })),
      );
      expect(outcomes.filter(({ ok }) => ok)).toHaveLength(3);
      expect(proxy.firstBytes).toHaveLength(before + 1);
    });

    it.each([
      ['no stream', 'none.done', {}, 'The server has no stream for the subject'],
      [
        'another program at the subject',
        'answered',
        {},
        'The subject is answered by a program that is no stream',
      ],
      ['no permission', 'other.done', {}, 'The server does not let the user publish to the subject'],
      [
        'no permission for answers',
        'jobs.done',
        { user: 'deaf' },
        'does not let the user subscribe to _INBOX.>',
      ],
      [
        'another password',
        'jobs.done',
        { secret: 'open-sesame' },
        'The server refused the user or its password',
      ],
      [
        'a body above the limit',
        'jobs.done',
        { body: 'x'.repeat(1_100_000) },
        'larger than the server takes',
      ],
    ])('fail where there is %s', async (_what, subject, options, error) => {
      const outcomes = await Promise.all([
        send(subject, { ...options, id: 'a' }),
        send(subject, { ...options, id: 'b' }),
      ]);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({
          ok: false,
          responseCode: null,
          error: expect.stringContaining(error),
        });
      expect(await send('jobs.done')).toMatchObject({ ok: true });
    });

    it('fail while the stream is full', async () => {
      for (const id of ['f1', 'f2', 'f3'])
        expect(await send('jobs.full', { id })).toMatchObject({ ok: true });
      const { error } = await send('jobs.full', { id: 'f4' });
      expect(error).toMatch(/^The stream refused the message \(code 503, err_code \d+\)$/);
    });

    it('fail while the connection is broken or silent, and then arrive over another', async () => {
      expect(await send('jobs.done')).toMatchObject({ ok: true });
      proxy.silence();
      expect(await send('jobs.done')).toMatchObject({ error: expect.stringMatching(/^timeout: No confirm/) });
      proxy.restore();
      expect(await send('jobs.done')).toMatchObject({ ok: true });
      proxy.cut();
      expect(await send('jobs.done')).toMatchObject({ error: expect.stringMatching(/^reset: /) });
      proxy.restore();
      expect(await send('jobs.done')).toMatchObject({ ok: true });
    });
  },
);

async function connectedAs(user: string, pass: string, url: string): Promise<NatsConnection> {
  const { hostname: host, port, host: server } = new URL(url);
  setTransportFactory({ factory: () => new NatsSocket() });
  const socket = connect(Number(port), host);
  const options = { socket, host, needsTls: false, signal: new AbortController().signal, loss: {} };
  return NatsConnectionImpl.connect({ ...options, user, pass, servers: [server], resolve: false });
}
