import { EventReceiver } from './support/event-receiver.js';
import { answersByStatus } from './support/load-report.js';
import { FollowedStream } from './support/load-streams.js';
import { waitUntilDone } from './support/load-state.js';
import {
  createTenants,
  executeReference,
  FORUM_SIZE,
  LOAD_FORUMS,
  LOAD_JOBS,
  resultOfTenant,
} from './support/load-tenants.js';
import { LoadTraffic } from './support/load-traffic.js';
import { violationsOf } from './support/load-violations.js';
import { RoundRobinClient } from './support/round-robin-client.js';
import { Topology } from './support/topology.js';
import { historyViolations } from '../support/request-history.js';
import { createTestDatabase } from '../support/database.js';
import { createTestRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { openSandbox } from '../support/sandbox.js';

/** Longer than the silence, so that no request fails on a slow machine. */
const ATTEMPT_TIMEOUT_MS = 15_000;
const DONE_TIMEOUT_MS = 180_000;

const sandbox = await openSandbox({
  latencyMs: 20,
  forums: Object.fromEntries(LOAD_FORUMS.map((forum) => [forum, FORUM_SIZE])),
});
const database = await createTestDatabase();

describe('two APIs, two workers and two schedulers on one Postgres and Redis', () => {
  let redis: TestRedis;
  let receiver: EventReceiver;
  let topology: Topology;

  beforeAll(async () => {
    redis = await createTestRedis();
    receiver = await EventReceiver.start();
    topology = await Topology.start(
      { databaseUrl: database.url, redisUrl: redis.url, platformUrl: sandbox.baseUrl },
      { api: 2, worker: 2, scheduler: 2 },
      {
        OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
        API_RATE_LIMIT_PER_MINUTE: '0',
        QUOTA_CONCURRENT_SEARCHES: '0',
        QUOTA_IDEMPOTENCY_KEYS: '0',
      },
    );
  });

  afterAll(async () => {
    await topology.kill();
    receiver.close();
    await redis.wipe();
  });

  it('lose, duplicate and refuse nothing while processes are killed and restarted', async () => {
    const apis = topology.withRole('api');
    const urls = apis.map(({ url }) => url);
    const client = new RoundRobinClient(urls, ATTEMPT_TIMEOUT_MS);
    const { reference, tenants, pauseSchedules } = await createTenants(database.url, 1, client, receiver);
    await executeReference(client, reference);
    const streams = await Promise.all(tenants.map((tenant) => FollowedStream.begin(urls, tenant)));
    await pauseSchedules(false);
    const traffic = new LoadTraffic({
      client,
      tenants,
      jobs: LOAD_JOBS,
      readEveryMs: 300,
      jobEveryMs: 1_500,
    });
    const accepted = (): number => traffic.requested.accepted.size;
    const answered = (): number => traffic.samples.length;
    traffic.start();

    await until(() => accepted() >= tenants.length * LOAD_JOBS.length);
    await topology.withRole('worker')[0]!.restart('SIGKILL');

    const [silent] = apis;
    const before = answered();
    silent!.silence();
    await until(() => answered() > before + 40);
    silent!.resume();

    await topology.restartAll();
    await traffic.stop();
    await pauseSchedules(true);

    expect(await waitUntilDone(database.url, DONE_TIMEOUT_MS)).toEqual({ jobs: 0, events: 0, deliveries: 0 });
    const results = await Promise.all(
      tenants.map((tenant) => resultOfTenant(database.url, tenant, receiver)),
    );
    // A request that the silenced API had begun still occupies its key, so its repeat gets a conflict.
    const failed = traffic.samples.filter(
      ({ status, code }) => (status < 200 || status >= 300) && code !== 'idempotency_conflict',
    );
    expect(answersByStatus(failed)).toEqual({});
    expect(
      violationsOf(results, await resultOfTenant(database.url, reference, receiver), traffic.requested),
    ).toEqual([]);
    expect(historyViolations(traffic.history.observations)).toEqual([]);
    const streamed = await Promise.all(streams.map((stream) => stream.violations(database.url)));
    expect(streamed.flat()).toEqual([]);
  });
});
