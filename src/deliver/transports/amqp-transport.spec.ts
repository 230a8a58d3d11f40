import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SystemClock } from '../../common/clock.js';
import { freePort } from '../../launcher/free-port.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import {
  BLOCKED,
  closing,
  confirming,
  method,
  ScriptedBroker,
  WELCOME,
} from '../../../test/support/scripted-broker.js';
import { until } from '../../../test/support/until.js';
import { AMQP } from './amqp-transport.js';
import type { Transport } from './transport.js';

const PASSWORD = 'open-sesame';
const { start, tune, open, channel, confirms } = WELCOME;
const never = new AbortController().signal;
/** A returned message of endless size, without its content. */
const RETURNED = Buffer.concat([
  method(1, [60, 50], Buffer.from([1, 56, 0, 0, 0])),
  Buffer.from([2, 0, 1, 0, 0, 0, 14, 0, 60, 0, 0, 127, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0xce]),
]);
const EMPTY_FRAME = Buffer.from([3, 0, 1, 0, 0, 0, 0, 0xce]);

describe('events for a broker', () => {
  const opened: { close(): unknown }[] = [];

  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  const transportOf = (allowed = ['127.0.0.0/8'], timeoutMs = 5_000): Transport => {
    const http = new OutboundHttpClient(allowed, () =>
      Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    );
    const transport = AMQP.create({ http, clock: new SystemClock(), timeoutMs, concurrency: 16 });
    opened.push(http, { close: () => transport.close?.() });
    return transport;
  };
  const addressOf = ({ port }: ScriptedBroker): string => `amqp://me@broker.example:${port}?exchange=events`;
  const startBroker = async (...script: Buffer[]): Promise<ScriptedBroker> => {
    const broker = await ScriptedBroker.start(...script);
    opened.push(broker);
    return broker;
  };
  const brokerSaying = async (...script: Buffer[]): Promise<string> =>
    addressOf(await startBroker(...script));
  const send = (
    url: string,
    {
      transport = transportOf(),
      secrets = [PASSWORD],
      signal = never,
      destination = 'one',
      id = 'dlv_1',
    } = {},
  ): Promise<DeliveryOutcome> =>
    transport.send({
      destination,
      url,
      secrets,
      id,
      body: '{}',
      mediaType: 'application/json',
      type: 'job.completed',
      signal,
    });

  it('are delivered when it confirms them', async () => {
    const url = await brokerSaying(start, tune, open, channel, confirms, confirming(1n));
    expect(await send(url)).toEqual({ ok: true, responseCode: null, durationMs: expect.any(Number) });
  });

  it.each([
    [
      'refuses the password',
      [start, closing(403, PASSWORD)],
      'The broker refused the user or its password (403)',
    ],
    ['is not ready', [start, closing(320, PASSWORD)], 'The broker refused the connection (320)'],
    [
      'has no such virtual host',
      [start, tune, closing(530, PASSWORD)],
      'The broker does not have this virtual host, or not for this user',
    ],
    [
      'speaks HTTP',
      [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
      'bad_answer: The server does not speak AMQP 0-9-1',
    ],
    // amqplib's own function would end the process.
    [
      'leaves as it opens',
      [start, tune, Buffer.concat([open, closing(501, 'x')])],
      'The broker closed the connection (501)',
    ],
    [
      'opens no channel',
      [start, tune, open, method(1, [85, 11])],
      'bad_answer: The server does not speak AMQP 0-9-1',
    ],
  ])('fail with clear words when it %s', async (_case, script, error) => {
    const outcome = await send(await brokerSaying(...script));
    expect(outcome).toMatchObject({ ok: false, responseCode: null, error: expect.stringContaining(error) });
    expect(outcome.error).not.toContain(PASSWORD);
  });

  it('fail at once when it confirms a message before there is one', async () => {
    const early = Buffer.concat([confirms, confirming(4_294_967_295n)]);
    const url = await brokerSaying(start, tune, open, channel, early);
    expect(await send(url)).toMatchObject({ ok: false, error: expect.stringMatching(/^bad_answer: /) });
  });

  it.each([
    ['a message that was never sent', confirming(4_294_967_295n)],
    ['a message with empty frames', Buffer.concat([RETURNED, EMPTY_FRAME])],
    ['with a frame of another protocol', Buffer.from('x'.repeat(64))],
  ])('fail at once when it confirms %s', async (_case, answer) => {
    const url = await brokerSaying(start, tune, open, channel, confirms, answer);
    expect(await send(url)).toMatchObject({ ok: false, error: expect.stringMatching(/^bad_answer: /) });
  });

  it('fail at once when it takes no messages', async () => {
    const url = await brokerSaying(start, tune, open, channel, confirms, BLOCKED);
    expect(await send(url)).toMatchObject({ error: expect.stringContaining('takes no messages at present') });
  });

  it('fail when it sends more than confirmations', async () => {
    const part = Buffer.concat([
      Buffer.from([3, 0, 1, 0, 0, 255, 0]),
      Buffer.alloc(65_280),
      Buffer.from([0xce]),
    ]);
    const flood = Buffer.concat([RETURNED, ...Array<Buffer>(300).fill(part)]);
    const url = await brokerSaying(start, tune, open, channel, confirms, flood);
    expect(await send(url)).toMatchObject({ ok: false, error: 'The broker sends too much' });
  });

  it.each([
    ['connection', []],
    ['confirmation', [start, tune, open, channel, confirms]],
  ])('fail after the time limit without a %s', async (what, script) => {
    const outcome = await send(await brokerSaying(...script), { transport: transportOf(undefined, 300) });
    expect(outcome.error).toMatch(RegExp(`^timeout: No ${what} .*broker within 300 ms$`));
  });

  it.each([
    ['connection', []],
    ['confirmation', [start, tune, open, channel, confirms]],
  ])('end with the signal while a %s is awaited', async (_what, script) => {
    const url = await brokerSaying(...script);
    const aborter = new AbortController();
    const sent = send(url, { signal: aborter.signal });
    aborter.abort();
    expect(await sent).toMatchObject({ ok: false });
  });

  it('fail where no program listens', async () => {
    const url = `amqp://me@broker.example:${await freePort()}?key=jobs`;
    expect(await send(url)).toMatchObject({
      error: expect.stringMatching(/^connect_failed: .*ECONNREFUSED/),
    });
  });

  it('fail where TLS is not spoken', async () => {
    const url = (await brokerSaying(Buffer.from('no TLS'))).replace('amqp:', 'amqps:');
    expect(await send(url)).toMatchObject({ error: expect.stringMatching(/^tls_failed: /) });
  });

  it.each([['broker.example'], ['127.0.0.1'], ['0x7f.1'], ['[::ffff:127.0.0.1]'], ['localhost']])(
    'reach no address that the operator does not allow: %s',
    async (host) => {
      jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const url = await brokerSaying(start);
      const outcome = await send(url.replace('broker.example', host), { transport: transportOf([]) });
      expect(outcome.error).toMatch(/^address_refused: /);
    },
  );

  it('share one connection of a webhook until its password changes', async () => {
    const broker = await startBroker(start, tune, open, channel, confirms, confirming(1n), confirming(2n));
    const transport = transportOf();
    const sent = ['a', 'b'].map((id) => send(addressOf(broker), { transport, id }));
    expect(await Promise.all(sent)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(broker.opened).toBe(1);
    await send(addressOf(broker), { transport, secrets: ['another', PASSWORD] });
    expect(broker.opened).toBe(2);
    transport.close?.();
    await until(() => broker.open === 0);
  });

  it('keep the connections of 64 webhooks', async () => {
    const broker = await startBroker(start, tune, open, channel, confirms, confirming(1n), confirming(2n));
    const transport = transportOf();
    const sendTo = (number: number) =>
      send(addressOf(broker), { transport, destination: `webhook ${number}` });
    for (let number = 0; number <= 64; number += 1) expect(await sendTo(number)).toMatchObject({ ok: true });
    await until(() => broker.open === 64);
    await sendTo(1);
    expect(broker.opened).toBe(65);
    expect(await sendTo(0)).toMatchObject({ ok: true });
    expect(broker.opened).toBe(66);
  });

  it('close a connection that is not used for half a minute', async () => {
    const broker = await startBroker(start, tune, open, channel, confirms, confirming(1n), confirming(2n));
    const transport = transportOf();
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    try {
      await send(addressOf(broker), { transport });
      await jest.advanceTimersByTimeAsync(29_999);
      expect(await send(addressOf(broker), { transport })).toMatchObject({ ok: true });
      await jest.advanceTimersByTimeAsync(30_000);
    } finally {
      jest.useRealTimers();
    }
    await until(() => broker.open === 0);
    expect(await send(addressOf(broker), { transport })).toMatchObject({ ok: true });
    expect(broker.opened).toBe(2);
  });

  it.each([
    ['without a secret', 'amqp://me@127.0.0.1:9?key=jobs', []],
    ['to an address without a key', 'amqp://me@127.0.0.1:9', [PASSWORD]],
  ])('are not sent %s', async (_case, url, secrets) => {
    expect(await send(url, { secrets })).toMatchObject({ ok: false, permanent: true, responseCode: null });
  });
});

describe('the address of a broker for a webhook', () => {
  it.each([
    ['amqps://me@broker.example?key=jobs', null],
    ['amqps://me@169.254.169.254?key=jobs', 'must point to a public address'],
    ['amqp://me@localhost?key=jobs', 'must point to a public address'],
    ['amqps://me@0x7f.1?key=jobs', 'must point to a public address'],
    ['amqps://me@broker.example:25?key=jobs', 'must not use port 25'],
    ['amqps://me@broker.example', 'must name'],
  ])('%s is refused as addresses of HTTP are', (address, reason) => {
    const http = new OutboundHttpClient([]);
    const refusal = AMQP.refuse(address, http);
    expect(refusal).toEqual(reason === null ? null : expect.stringContaining(reason));
    http.close();
  });
});
