import { type Channel, connect } from 'amqplib';
import { SystemClock } from '../../src/common/clock.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AMQP } from '../../src/deliver/transports/amqp-transport.js';
import type { Transport } from '../../src/deliver/transports/transport.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from '../../src/messages/channels/channel.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { startTestApplication } from '../support/application.js';
import { type BreakableProxy, startBreakableProxy } from '../support/breakable-proxy.js';
import { requestAs } from '../support/client.js';
import { skipUnless } from '../support/skip-unless.js';
import { until } from '../support/until.js';
import { hasRabbitMq, startRabbitMq } from './support/rabbitmq.js';

const PASSWORD = 'p@ss/wörd';
const DEFINITIONS = {
  users: [{ name: 'publisher', password: PASSWORD, tags: '' }],
  vhosts: [{ name: '/' }, { name: 'mine' }, { name: 'theirs' }],
  permissions: ['/', 'mine'].map((vhost) => ({
    user: 'publisher',
    vhost,
    configure: '^$',
    write: '^(events|unbound|amq\\.default|nowhere)$',
    read: '.*',
  })),
  exchanges: ['events', 'unbound', 'closed'].map((name) => ({
    name,
    vhost: '/',
    type: 'topic',
    durable: true,
    auto_delete: false,
    internal: false,
    arguments: {},
  })),
  queues: [
    { name: 'jobs', vhost: '/', durable: true, auto_delete: false, arguments: {} },
    { name: 'jobs', vhost: 'mine', durable: true, auto_delete: false, arguments: {} },
    {
      name: 'full',
      vhost: '/',
      durable: true,
      auto_delete: false,
      arguments: { 'x-max-length': 1, 'x-overflow': 'reject-publish' },
    },
  ],
  bindings: [
    {
      source: 'events',
      vhost: '/',
      destination: 'jobs',
      destination_type: 'queue',
      routing_key: 'job.#',
      arguments: {},
    },
  ],
};
const TIMEOUT_MS = 5_000;

skipUnless(hasRabbitMq(), 'there is no RabbitMQ').describe('events for a RabbitMQ', () => {
  let stop: () => Promise<void>;
  let proxy: BreakableProxy;
  let channel: Channel;
  let client: { close(): Promise<void> };
  const http = new OutboundHttpClient(['127.0.0.0/8']);
  let transport: Transport;

  beforeAll(async () => {
    const broker = await startRabbitMq(DEFINITIONS);
    stop = broker.stop;
    proxy = await startBreakableProxy(broker.url);
    const url = new URL(broker.url);
    const model = await connect({
      hostname: url.hostname,
      port: Number(url.port),
      username: 'publisher',
      password: PASSWORD,
    });
    client = model;
    channel = await model.createChannel();
  });
  beforeEach(() => {
    transport = AMQP.create({ http, clock: new SystemClock(), timeoutMs: TIMEOUT_MS, concurrency: 16 });
  });
  afterEach(async () => {
    transport.close?.();
    await channel.purgeQueue('jobs');
  });
  afterAll(async () => {
    await client.close();
    await proxy.close();
    await stop();
    http.close();
  });

  const addressOf = (rest: string): string => `amqp://publisher@${new URL(proxy.url).host}${rest}`;
  const send = (
    rest: string,
    { id = 'dlv_1', secret = PASSWORD, body = '{}' } = {},
  ): Promise<DeliveryOutcome> =>
    transport.send({
      destination: 'one',
      url: addressOf(rest),
      secrets: [secret],
      id,
      body,
      mediaType: 'application/cloudevents+json',
      type: 'job.completed',
      signal: new AbortController().signal,
    });

  it('are lasting messages, which it has confirmed', async () => {
    const body = JSON.stringify({ text: 'grüße'.repeat(100_000) });
    expect(await send('?exchange=events&key=job.done', { body })).toMatchObject({ ok: true });
    const message = await channel.get('jobs', { noAck: true });
    if (message === false) throw new Error('no message');
    expect(message.content.toString()).toBe(body);
    expect(message.fields).toMatchObject({ exchange: 'events', routingKey: 'job.done' });
    expect(message.properties).toMatchObject({
      contentType: 'application/cloudevents+json',
      deliveryMode: 2,
      messageId: 'dlv_1',
      type: 'job.completed',
      timestamp: expect.closeTo(Date.now() / 1_000, -2),
    });
  });

  it('go to a queue by its name, in the virtual host of the address', async () => {
    expect(await send('/mine?key=jobs')).toMatchObject({ ok: true });
    expect(await send('/%2F?key=jobs')).toMatchObject({ ok: true });
    expect(await channel.checkQueue('jobs')).toMatchObject({ messageCount: 1 });
  });

  it('are sent together over one connection', async () => {
    const before = proxy.firstBytes.length;
    const ids = Array.from({ length: 100 }, (_, number) => `dlv_${number}`);
    const outcomes = await Promise.all(ids.map((id) => send('?exchange=events&key=job.done', { id })));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(100);
    expect(proxy.firstBytes).toHaveLength(before + 1);
    expect(await channel.checkQueue('jobs')).toMatchObject({ messageCount: 100 });
  });

  it.each([
    ['no queue', '?exchange=unbound&key=job.done', 'The broker has no queue for the message'],
    ['no queue of this name', '?key=none', 'The broker has no queue for the message'],
    ['no such exchange', '?exchange=nowhere', 'The broker has no such exchange (404)'],
    ['no permission', '?exchange=closed', 'The broker does not let the user publish to this exchange (403)'],
    ['no such virtual host', '/none?key=jobs', 'The broker does not have this virtual host'],
    ['no permission for the virtual host', '/theirs?key=jobs', 'The broker does not have this virtual host'],
  ])('fail where there is %s', async (_what, rest, error) => {
    const outcomes = await Promise.all([send(rest, { id: 'a' }), send(rest, { id: 'b' })]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ ok: false, responseCode: null, error: expect.stringContaining(error) });
    expect(await send('?exchange=events&key=job.done')).toMatchObject({ ok: true });
  });

  it('fail with another password, which no message names', async () => {
    const outcome = await send('?key=jobs', { secret: 'open-sesame' });
    expect(outcome.error).toBe('The broker refused the user or its password (403)');
  });

  it('fail while a queue is full', async () => {
    expect(await send('?key=full')).toMatchObject({ ok: true });
    expect(await send('?key=full')).toMatchObject({ error: expect.stringContaining('a queue may be full') });
  });

  it('fail while the connection is broken or silent, and then arrive over another', async () => {
    const rest = '?exchange=events&key=job.done';
    expect(await send(rest)).toMatchObject({ ok: true });
    proxy.silence();
    expect(await send(rest)).toMatchObject({ error: expect.stringMatching(/^timeout: No confirmation/) });
    proxy.restore();
    expect(await send(rest)).toMatchObject({ ok: true });
    proxy.cut();
    expect(await send(rest)).toMatchObject({ error: expect.stringMatching(/^reset: /) });
    proxy.restore();
    expect(await send(rest)).toMatchObject({ ok: true });
  });

  it('are deliveries of a webhook', async () => {
    const service = await startTestApplication({
      ROLES: 'api,worker',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    const workspace = await service.createWorkspace();
    const call = async (method: 'GET' | 'POST', path: string, body?: object) =>
      (await requestAs(service, workspace, method, path).send(body)).body as Record<string, unknown>;
    const webhook = await call('POST', '/webhooks', {
      url: addressOf('?exchange=events&key=job.done'),
      secret: PASSWORD,
    });
    await service.app.get(TransactionRunner).run((tx) =>
      service.get(OutboxRepository).append(
        workspace.workspaceId,
        {
          type: 'job.completed',
          uniqueKey: 'job:1',
          subjectId: '0b6ae68e-6f0a-4d53-a8ac-2ea1fc5b4f44',
          data: { id: 'job_1' },
        },
        tx,
      ),
    );
    const { deliveries } = await until(
      () => call('GET', `/webhooks/${String(webhook.id)}/deliveries?status=delivered`),
      ({ total }) => total === 1,
    );
    const [delivery] = deliveries as [{ id: string; response_code: number | null }];
    const message = await channel.get('jobs', { noAck: true });
    expect(message).toMatchObject({ properties: { messageId: delivery.id, type: 'job.completed' } });
    expect(delivery.response_code).toBeNull();
  });
});
