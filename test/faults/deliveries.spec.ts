import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceProcess, type ServiceVariables } from '../../scripts/bench/support/service-process.js';
import { newId } from '../../src/common/ids.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { OutboxRepository } from '../../src/messages/outbox/outbox.repository.js';
import { WebhooksService } from '../../src/deliver/webhooks/webhooks.service.js';
import { startTestApplication } from '../support/application.js';
import { type Answer, HttpReceiver, type ReceivedRequest } from '../support/receivers.js';
import { flushRedis } from '../support/redis.js';
import { bodyOf } from '../support/webhook-reading.js';

const EVENTS = 2_000;
const EVENTS_IN_TRANSACTION = 20;
/** Every fifth transaction is rolled back. */
const ROLLED_BACK = 5;
const KILLS = 4;
const WORKERS = 2;
const PATIENCE_MS = 240_000;
const SECRET = 'a shared secret of 24 bytes and more';

/** Gives the same sequence of events in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const nameOf = (request: ReceivedRequest): string => bodyOf(request).data.id as string;

const service = await startTestApplication({ OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8' });

describe('deliveries while everything fails', () => {
  const random = seeded(6);
  let receivers: HttpReceiver[];
  let workers: ServiceProcess[] = [];
  let workerEnvironment: ServiceVariables;
  /** Names of committed events. */
  const expected = new Set<string>();
  const rolledBack = new Set<string>();
  /** Events that a receiver accepted with a 2xx. */
  const accepted = new Set<string>();

  const faults: ((request: ReceivedRequest, index: number) => Answer)[] = [
    () => (random() < 0.5 ? { status: 503 } : {}),
    (_request, index) => (index % 10 === 0 ? { fault: 'hang' } : {}),
    () => (random() < 0.3 ? { fault: 'reset' } : {}),
    (_request, index) => (index < 40 ? { status: 500 } : {}),
  ];

  beforeAll(async () => {
    receivers = await Promise.all(
      faults.map((fault) =>
        HttpReceiver.start((request, index) => {
          const answer = fault(request, index);
          if (Object.keys(answer).length === 0) accepted.add(nameOf(request));
          return answer;
        }),
      ),
    );
    workerEnvironment = {
      ROLES: 'worker',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: service.environment.DATABASE_URL!,
      REDIS_URL: service.environment.REDIS_URL!,
      DATA_DIR: service.environment.DATA_DIR,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_TIMEOUT_MS: '300',
      WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 24 }, (_, index) => `${50 + 10 * index}ms`).join(','),
    };
    workers = await startWorkers(WORKERS);
  });
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.end('SIGKILL')));
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  const startWorkers = (count: number): Promise<ServiceProcess[]> =>
    Promise.all(Array.from({ length: count }, () => new ServiceProcess(workerEnvironment).ready()));

  /** Four workspaces, each with one receiver and a quarter of the events, which are appended as batches would. */
  async function appendAll(): Promise<void> {
    const webhooks = await Promise.all(
      receivers.map(async ({ url }) => {
        const { workspaceId } = await service.createWorkspace();
        await service.get(WebhooksService).create(workspaceId, { url, secret: SECRET });
        return workspaceId;
      }),
    );
    const outbox = service.get(OutboxRepository);
    const transactions = service.app.get(TransactionRunner);
    let appended = 0;
    for (let batch = 0; appended < EVENTS; batch += 1) {
      const workspaceId = webhooks[batch % webhooks.length]!;
      const fails = batch % ROLLED_BACK === ROLLED_BACK - 1;
      const names = Array.from({ length: EVENTS_IN_TRANSACTION }, (_, index) => `${batch}.${index}`);
      await transactions
        .run(async (tx) => {
          for (const name of names)
            await outbox.append(
              workspaceId,
              {
                type: 'job.completed',
                uniqueKey: name,
                subjectId: newId(),
                data: { id: name },
              },
              tx,
            );
          if (fails) throw new Error('rolled back');
        })
        .catch((error: Error) => {
          if (error.message !== 'rolled back') throw error;
        });
      for (const name of names) (fails ? rolledBack : expected).add(name);
      if (!fails) appended += names.length;
    }
  }

  async function wreakHavoc(): Promise<void> {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(300 + 700 * random());
      const victim = Math.floor(random() * workers.length);
      await workers[victim]!.end('SIGKILL');
      await flushRedis(service.environment.REDIS_URL!);
      workers[victim] = await new ServiceProcess(workerEnvironment).ready();
    }
  }

  async function pendingDeliveries(): Promise<number> {
    const [row] = await service.app.get(TransactionRunner).run((tx) =>
      tx.query<[{ open: number }]>(
        `SELECT (SELECT count(*) FROM outbox_events WHERE relayed_at IS NULL)::int
           + (SELECT count(*) FROM deliveries WHERE status = 'pending')::int AS open`,
      ),
    );
    return row.open;
  }

  it('delivers 2,000 events at least once each, duplicates under one id', async () => {
    await Promise.all([appendAll(), wreakHavoc()]);
    const deadline = AbortSignal.timeout(PATIENCE_MS);
    while ((await pendingDeliveries()) > 0 && !deadline.aborted) await sleep(100);

    const statuses = await service.app
      .get(TransactionRunner)
      .run((tx) =>
        tx.query<{ status: string; count: number }[]>(
          'SELECT status, count(*)::int AS count FROM deliveries GROUP BY status',
        ),
      );
    expect(statuses).toEqual([{ status: 'delivered', count: EVENTS }]);
    expect(accepted).toEqual(expected);

    const idsOf = new Map<string, Set<unknown>>();
    for (const request of receivers.flatMap(({ all }) => all)) {
      const name = nameOf(request);
      idsOf.set(name, (idsOf.get(name) ?? new Set()).add(request.headers['webhook-id']));
    }
    expect([...idsOf.keys()].filter((name) => rolledBack.has(name))).toEqual([]);
    expect([...idsOf.values()].filter(({ size }) => size !== 1)).toEqual([]);
    expect(new Set([...idsOf.values()].flatMap((ids) => [...ids])).size).toBe(EVENTS);
    // Fails if nothing went wrong on the way, since the test would then prove nothing.
    expect(receivers.flatMap(({ all }) => all).length).toBeGreaterThan(EVENTS);
  });
});
