import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { OutboundHttpClient } from '../../src/infrastructure/outbound-http/outbound-http-client.js';
import { signingHeaders } from '../../src/infrastructure/signing/signing.js';
import { DESTINATION_CONCURRENCY } from '../../src/deliver/queue/send-limits.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { WebhooksService } from '../../src/deliver/webhooks/webhooks.service.js';
import { exampleOf } from '../../src/openapi/examples.js';
import { type Application, Bench } from './support/harness.js';
import { inTurns, rounded } from './support/measure.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENTS = 8_000;
/** Not counted, because a newly started worker is still compiling its code. */
const WARM_UP = 2_000;
const DESTINATIONS = 100;
const EVENTS_EACH = 80;
const ROUNDS = 3;
const TIMEOUT_MS = 2_000;
const JOB_ID = '3f0f3a52-5f6b-4c5c-9b5c-0f8c1f0f6a11';
/**
 * Deliveries a second through outbox, relay, sender and log, compared with a bare loop. Receivers run in a process of
 * their own.
 */
export function run(): Promise<object> {
  return Bench.run(async (bench) => {
    const receiver = await startReceiver();
    bench.atEnd(() => receiver.stop());
    const app = await bench.application('api');
    const on = { bench, receiver, app };
    await bareLoop(receiver, DESTINATION_CONCURRENCY);
    const rates = await inTurns(ROUNDS, {
      sequential: () => bareLoop(receiver, 1),
      concurrent: () => bareLoop(receiver, DESTINATION_CONCURRENCY),
      deliveries: () => deliver(on, 1, WARM_UP + EVENTS, false),
      alone: () => deliver(on, DESTINATIONS, EVENTS_EACH, false),
      beside: () => deliver(on, DESTINATIONS, EVENTS_EACH, true),
    });
    // The best of each kind, so that other load on the machine distorts none.
    const best = (kind: keyof typeof rates): number => Math.max(...rates[kind]);
    return {
      // Signed posts with the same client, one after another and as many at once as a destination is allowed.
      bare_posts_per_second_sequential: Math.round(best('sequential')),
      bare_posts_per_second_concurrent: Math.round(best('concurrent')),
      deliveries_per_second: Math.round(best('deliveries')),
      // Target: at least 0.4.
      ratio_to_sequential: rounded(best('deliveries') / best('sequential'), 3),
      ratio_to_concurrent: rounded(best('deliveries') / best('concurrent'), 3),
      deliveries_per_second_99_destinations: Math.round(best('alone')),
      deliveries_per_second_99_destinations_beside_a_dead_one: Math.round(best('beside')),
      // Share of their rate that the other destinations lose because of the dead one; target: below 0.1.
      cost_of_a_dead_destination: rounded(1 - best('beside') / best('alone'), 3),
    };
  });
}

/**
 * Puts the events of a new workspace into the outbox, then starts a worker that delivers each to every destination. If
 * there are several destinations, the last one is not counted and may be dead. Returns deliveries a second as seen by
 * the receiver, after a warm-up.
 */
async function deliver(
  { bench, receiver, app }: { bench: Bench; receiver: Receiver; app: Application },
  destinations: number,
  events: number,
  lastIsDead: boolean,
): Promise<number> {
  const webhooks = app.get(WebhooksService, { strict: false });
  const outbox = app.get(OutboxRepository, { strict: false });
  const { workspaceId } = await bench.workspace();
  const counted = Math.max(1, destinations - 1);
  for (let n = 0; n < counted; n += 1)
    await webhooks.create(workspaceId, { url: `${receiver.url}/`, secret: SECRET });
  if (lastIsDead) await webhooks.create(workspaceId, { url: `${receiver.url}/dead`, secret: SECRET });
  const event = { type: 'job.completed', subjectKind: 'job', subjectId: JOB_ID } as const;
  await app.get(TransactionRunner, { strict: false }).run(async (tx) => {
    for (let n = 0; n < events; n += 1)
      await outbox.append(
        workspaceId,
        { ...event, uniqueKey: String(n), data: { ...exampleOf('getJob'), n } },
        tx,
      );
  });
  const expected = events * counted - WARM_UP;
  const arrived = await receiver.expect(expected, WARM_UP);
  const worker = await bench.start('worker', { WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) });
  const tookMs = await arrived();
  await worker.end('SIGTERM');
  for (const { id } of await webhooks.list(workspaceId, { masked: true }))
    await webhooks.delete(workspaceId, id.slice('wh_'.length));
  return (expected / tookMs) * 1_000;
}

/** Signed posts a second with the service's own client and nothing else. */
async function bareLoop(receiver: Receiver, concurrency: number): Promise<number> {
  const client = new OutboundHttpClient(['127.0.0.0/8']);
  const arrived = await receiver.expect(EVENTS, WARM_UP);
  let sent = 0;
  const loop = async (): Promise<void> => {
    while (sent < WARM_UP + EVENTS) {
      sent += 1;
      const timestamp = new Date();
      const body = JSON.stringify({
        id: `evt_${sent}`,
        type: 'job.completed',
        timestamp,
        data: exampleOf('getJob'),
      });
      const signed = signingHeaders({ id: `dlv_${sent}`, timestamp, body }, [SECRET]);
      await client.request({
        method: 'POST',
        url: `${receiver.url}/`,
        headers: { 'content-type': 'application/json', ...signed },
        body,
        timeoutMs: TIMEOUT_MS,
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const tookMs = await arrived();
  client.close();
  return (EVENTS / tookMs) * 1_000;
}

interface Receiver {
  url: string;
  /** The returned function resolves with the milliseconds that `count` requests took after the first `uncounted`. */
  expect(count: number, uncounted: number): Promise<() => Promise<number>>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'support/counting-receiver.js'));
  const { port } = await answerOf<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    expect: async (count, uncounted) => {
      const ready = answerOf(child);
      child.send({ expect: count, uncounted });
      await ready;
      const done = answerOf<{ tookMs: number }>(child);
      return async () => (await done).tookMs;
    },
    stop: () => child.kill(),
  };
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await once(child, 'message', { signal: AbortSignal.timeout(120_000) })) as [T];
  return answer;
}
