import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { ServiceProcess, type ServiceVariables } from '../../scripts/bench/support/service-process.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { AlertMatchingService } from '../../src/alerts/service/alert-matching.service.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import type { AlertTriggeredData } from '../../src/alerts/matching/triggering.js';
import { PostsRepository } from '../../src/content/posts/posts.repository.js';
import { aPost } from '../factories/posts.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { HttpReceiver } from '../support/receivers.js';
import { flushRedis } from '../support/redis.js';
import { type RestartableServers, startRestartableServers } from '../support/restartable-servers.js';
import { until } from '../support/until.js';
import { bodyOf } from '../support/webhook-reading.js';

const ALERTS = 10;
const PERIODS = 4;
const POSTS_OF_PERIOD = 5;
const JOB = '00000000-0000-4000-8000-000000000009';
const PROCESSES = 2;
/** On a cluster, what a crash has left half committed keeps its rows locked until Citus looks for it, once a minute. */
const RELEASE_TIMEOUT_MS = 150_000;

describe('digests while everything fails', () => {
  let servers: RestartableServers;
  let service: TestApplication;
  let receiver: HttpReceiver;
  let workspaceId: string;
  let variables: ServiceVariables;
  let processes: ServiceProcess[] = [];
  /** Ids of stored posts by the number of the alert that matches them. */
  const stored = new Map<number, string[]>();

  beforeAll(async () => {
    servers = await startRestartableServers();
    service = await startTestApplication({
      ROLES: 'api',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      DATABASE_URL: servers.databaseUrl,
      DATABASE_REQUEST_URL: servers.databaseRequestUrl!,
      REDIS_URL: servers.redisUrl,
    });
    receiver = await HttpReceiver.start((_request, index) => (index % 7 === 3 ? { status: 503 } : {}));
    ({ workspaceId } = await service.createWorkspace());
    for (let number = 0; number < ALERTS; number += 1)
      await service.get(AlertsService).create(workspaceId, {
        name: String(number),
        keywords: [`word${number}`],
        channel: 'webhook',
        channel_config: { webhook_url: receiver.url },
        delivery: { every: 'day' },
        fold_duplicates: false,
      });
    variables = {
      ROLES: 'worker,scheduler',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: service.environment.DATABASE_URL!,
      REDIS_URL: service.environment.REDIS_URL!,
      DATA_DIR: service.environment.DATA_DIR,
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_TIMEOUT_MS: '300',
      WEBHOOK_RETRY_SCHEDULE: Array.from({ length: 24 }, (_, index) => `${50 + 10 * index}ms`).join(','),
    };
    processes = await Promise.all(Array.from({ length: PROCESSES }, start));
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    await servers.stop();
  });

  const start = (): Promise<ServiceProcess> => new ServiceProcess(variables).ready();
  const query = <Row>(sql: string): Promise<Row[]> =>
    service.app.get(DataSource).query<Row[]>(sql, [workspaceId]);

  /** Stores the posts of a period in batches, each of which one alert matches. */
  async function store(period: number): Promise<void> {
    for (let place = 0; place < POSTS_OF_PERIOD; place += 1) {
      const posts = Array.from({ length: ALERTS }, (_, alert) => ({
        ...aPost(period * 1_000 + place * 100 + alert),
        title: `word${alert}`,
        numComments: place,
      }));
      await service.get(TransactionRunner).run(async (tx) => {
        await service.get(PostsRepository).upsert(workspaceId, posts, tx);
        await service.get(AlertMatchingService).matchBatch(workspaceId, JOB, { posts }, null, tx);
      });
      posts.forEach(({ id }, alert) => stored.set(alert, [...(stored.get(alert) ?? []), id]));
    }
  }

  /** Kills a process, wipes Redis, and cuts every connection to Postgres or, in every other period, restarts it. */
  async function wreakHavoc(period: number): Promise<void> {
    const victim = period % PROCESSES;
    await sleep(100 + 150 * period);
    await processes[victim]!.end('SIGKILL');
    await flushRedis(servers.redisUrl);
    if (period % 2 === 1) await servers.restartPostgres();
    else
      await query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND $1::uuid IS NOT NULL`,
      ).catch(() => undefined);
    processes[victim] = await start();
  }

  const nameOf = (data: AlertTriggeredData): string => data.name;

  it(
    'are sent once for each period, with every match',
    async () => {
      for (let period = 0; period < PERIODS; period += 1) {
        await store(period);
        const begun = wreakHavoc(period);
        await query('UPDATE alerts SET digest_due_at = clock_timestamp() WHERE workspace_id = $1');
        await begun;
        await until(
          () =>
            query<{ left: number }>(
              'SELECT count(*)::int AS left FROM alerts WHERE workspace_id = $1 AND digest_due_at IS NOT NULL',
            ).catch(() => [{ left: ALERTS }]),
          ([row]) => row!.left === 0,
          { timeoutMs: RELEASE_TIMEOUT_MS },
        );
      }
      const statuses = () =>
        query<{ status: string; count: number }>(
          `SELECT status, count(*)::int AS count FROM deliveries WHERE workspace_id = $1
           AND event_id IN (SELECT id FROM outbox_events WHERE type = 'alert.digest') GROUP BY status`,
        );
      await until(statuses, (rows) => rows.every(({ status }) => status !== 'pending') && rows.length > 0);
      expect(await statuses()).toEqual([{ status: 'delivered', count: ALERTS * PERIODS }]);
      const digests = new Map(
        receiver.all.map((request) => [
          request.headers['webhook-id'],
          bodyOf(request) as unknown as { type: string; data: AlertTriggeredData },
        ]),
      );
      expect([...digests.values()].map(({ type }) => type)).toEqual(
        Array.from({ length: ALERTS * PERIODS }, () => 'alert.digest'),
      );
      for (let alert = 0; alert < ALERTS; alert += 1) {
        const ofAlert = [...digests.values()].filter(({ data }) => nameOf(data) === String(alert));
        expect(ofAlert.map(({ data }) => data.matched_posts_total)).toEqual(
          Array.from({ length: PERIODS }, () => POSTS_OF_PERIOD),
        );
        const sent = ofAlert.flatMap(({ data }) => data.posts.map(({ id }) => id));
        expect(sent.sort()).toEqual(stored.get(alert)!.sort());
      }
    },
    PERIODS * RELEASE_TIMEOUT_MS,
  );
});
