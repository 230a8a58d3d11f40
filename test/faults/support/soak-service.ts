import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../../../scripts/bench/support/harness.js';
import { quantile, rounded } from '../../../scripts/bench/support/measure.js';
import { residentMb } from '../../../scripts/bench/support/resources.js';
import { fillPosts } from '../../../scripts/bench/support/rows.js';
import { ServiceProcess } from '../../../scripts/bench/support/service-process.js';
import type { AttackName, AttackReport, Tenant } from './soak-attacks.js';
import { measureRefusals, type RefusalCosts } from './soak-costs.js';

const NEIGHBOURS = 10;
const NEIGHBOUR_POSTS = 2_000;
/** Numbers of posts of the hostile workspaces: the first one searches, the third reads slowly. */
const HOSTILE_POSTS = [50_000, 1_000, 12_000];
/** Pause of a neighbour between two requests, which keeps it within the default limit of 600 a minute. */
const READ_EVERY_MS = 250;
const POLL_JOB_EVERY_MS = 250;
/** Pause of a neighbour between two jobs. */
const JOB_EVERY_MS = 5_000;
const PROBE_EVERY_MS = 500;
const REQUEST_TIMEOUT_MS = 15_000;
/** A job or delivery that takes longer counts as unfinished or missing, which limits how long a phase can overrun. */
const JOB_TIMEOUT_MS = 20_000;
const DELIVERY_TIMEOUT_MS = 10_000;

/** Measurements of the neighbours in one phase. Times are in milliseconds; null when there was nothing to measure. */
export interface Phase {
  requests: number;
  posts_p50: number | null;
  posts_p95: number | null;
  posts_max: number | null;
  /** GET /posts with a status of 500 or above, or no answer within 15 s. */
  server_errors: number;
  /** GET /posts with a status below 500 other than 200; neighbours stay within their limits. */
  refused: number;
  probes: number;
  not_ready: number;
  jobs: number;
  unfinished_jobs: number;
  /** From POST /jobs until the job of 20 posts was observed as completed. */
  job_p95: number | null;
  /** From the end of the job until its event arrived at the neighbour's webhook. */
  delivery_p95: number | null;
  missing_deliveries: number;
  api_rss_mb: number;
  worker_rss_mb: number;
}

/** A running service with its neighbours, its hostile workspaces and the measurements on them. */
export class Soak {
  /** Arrival of a job's event, by job id. */
  private readonly arrivals = new Map<string, number>();

  private constructor(
    private readonly neighbours: Tenant[],
    private readonly hostile: Tenant[],
    private readonly api: ServiceProcess,
    private readonly worker: ServiceProcess,
  ) {}

  static async start(bench: Bench): Promise<Soak> {
    const url = await bench.platform('--requests-per-minute', '6000');
    // The limits and quotas of an operator who sets none.
    const variables = {
      DATABASE_URL: bench.databaseUrl,
      REDIS_URL: bench.redisUrl,
      DATA_DIR: bench.dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      PLATFORM_BASE_URL: url,
      PLATFORM_AUTH_URL: url,
      PLATFORM_REQUESTS_PER_MINUTE: '6000',
      OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
    };
    const start = async (roles: string): Promise<ServiceProcess> => {
      const started = new ServiceProcess({ ...variables, ROLES: roles });
      bench.atEnd(() => started.end('SIGKILL'));
      return started.ready();
    };
    const api = await start('api');
    const worker = await start('worker,scheduler');
    const tenants = await bench.operate(async ({ workspaces }) => {
      const created: Tenant[] = [];
      while (created.length < NEIGHBOURS + HOSTILE_POSTS.length)
        created.push(await workspaces.create(`Soak ${created.length}`));
      return created;
    });
    for (const [number, { workspaceId }] of tenants.entries())
      await fillPosts(bench.databaseUrl, workspaceId, HOSTILE_POSTS[number - NEIGHBOURS] ?? NEIGHBOUR_POSTS);
    const soak = new Soak(tenants.slice(0, NEIGHBOURS), tenants.slice(NEIGHBOURS), api, worker);
    const receiver = await soak.receive(bench);
    for (const neighbour of soak.neighbours)
      await soak.call(neighbour, 'POST', '/webhooks', { url: receiver });
    return soak;
  }

  /** The address of a receiver that notes the arrival of each job's event. */
  private async receive(bench: Bench): Promise<string> {
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { id: string } };
        this.arrivals.set(data.id, Date.now());
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    bench.atEnd(() => receiver.close().closeAllConnections());
    await once(receiver, 'listening');
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  }

  /** Runs the neighbours for `durationMs` and reports their measurements. */
  async measure(durationMs: number): Promise<Phase> {
    const end = Date.now() + durationMs;
    const times: number[] = [];
    const jobTimes: number[] = [];
    const deliveryTimes: number[] = [];
    const counts = { serverErrors: 0, refused: 0, probes: 0, notReady: 0, unfinished: 0, missing: 0 };
    const rss = { api: 0, worker: 0 };
    // Workspaces do not know of each other, so they do not all begin at the same moment.
    const startOf = (index: number, every: number): Promise<void> => sleep((index / NEIGHBOURS) * every);
    const read = async (neighbour: Tenant, index: number): Promise<void> => {
      await startOf(index, READ_EVERY_MS);
      for (; Date.now() < end; await sleep(READ_EVERY_MS)) {
        const startedAt = performance.now();
        const status = await this.call(neighbour, 'GET', '/posts?limit=50').then(
          (answer) => answer.status,
          () => 599,
        );
        times.push(performance.now() - startedAt);
        if (status >= 500) counts.serverErrors += 1;
        else if (status !== 200) counts.refused += 1;
      }
    };
    const scrape = async (neighbour: Tenant, index: number): Promise<void> => {
      await startOf(index, JOB_EVERY_MS);
      for (; Date.now() < end; await sleep(JOB_EVERY_MS)) {
        const outcome = await this.scrape(neighbour).catch(() => null);
        if (outcome === null) counts.unfinished += 1;
        else {
          jobTimes.push(outcome.jobMs);
          if (outcome.deliveryMs === null) counts.missing += 1;
          else deliveryTimes.push(outcome.deliveryMs);
        }
      }
    };
    const probe = async (): Promise<void> => {
      for (; Date.now() < end; await sleep(PROBE_EVERY_MS)) {
        counts.probes += 1;
        const ready = await fetch(`${this.api.url}/health/ready`, { signal: requestTimeout() }).then(
          (answer) => answer.ok,
          () => false,
        );
        if (!ready) counts.notReady += 1;
        rss.api = Math.max(rss.api, residentMb(this.api.pid));
        rss.worker = Math.max(rss.worker, residentMb(this.worker.pid));
      }
    };
    await Promise.all([...this.neighbours.map(read), ...this.neighbours.map(scrape), probe()]);
    return {
      requests: times.length,
      posts_p50: percentile(times, 0.5),
      posts_p95: percentile(times, 0.95),
      posts_max: percentile(times, 1),
      server_errors: counts.serverErrors,
      refused: counts.refused,
      probes: counts.probes,
      not_ready: counts.notReady,
      jobs: jobTimes.length,
      unfinished_jobs: counts.unfinished,
      job_p95: percentile(jobTimes, 0.95),
      delivery_p95: percentile(deliveryTimes, 0.95),
      missing_deliveries: counts.missing,
      api_rss_mb: Math.round(rss.api),
      worker_rss_mb: Math.round(rss.worker),
    };
  }

  measureRefusals(): Promise<RefusalCosts> {
    return measureRefusals(this.api.url, this.api.pid, this.hostile[0]!, this.neighbours[0]!);
  }

  /** Runs the attackers in a process of their own, so that they do not slow down the measurement. */
  async attack(names: readonly AttackName[], durationMs: number): Promise<AttackReport> {
    const child = fork(join(import.meta.dirname, 'soak-attacker.js'), {
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    child.send({ base: this.api.url, hostile: this.hostile, names, durationMs });
    const signal = AbortSignal.timeout(durationMs + REQUEST_TIMEOUT_MS * 2);
    const failed = once(child, 'exit', { signal }).then(() => {
      throw new Error('The attacking process ended early');
    });
    const [report] = (await Promise.race([once(child, 'message', { signal }), failed])) as [AttackReport];
    failed.catch(() => undefined);
    child.kill('SIGKILL');
    return report;
  }

  /**
   * Runs a job of 20 posts: its duration until completion, and then the delay of its event; null when that did not
   * arrive.
   */
  private async scrape(neighbour: Tenant): Promise<{ jobMs: number; deliveryMs: number | null }> {
    const startedAt = Date.now();
    const created = await this.call(neighbour, 'POST', '/jobs', {
      target: 'technology',
      limit: 20,
      scrape_comments: false,
      download_media: false,
    });
    let job = (await created.json()) as { id: string; status: string; completed_at: string | null };
    for (
      const deadline = startedAt + JOB_TIMEOUT_MS;
      job.status !== 'completed';
      await sleep(POLL_JOB_EVERY_MS)
    ) {
      if (Date.now() > deadline || job.status === 'failed') throw new Error(`The job is ${job.status}`);
      job = (await (await this.call(neighbour, 'GET', `/jobs/${job.id}`)).json()) as typeof job;
    }
    const jobMs = Date.now() - startedAt;
    for (const deadline = Date.now() + DELIVERY_TIMEOUT_MS; Date.now() < deadline; await sleep(50)) {
      const arrival = this.arrivals.get(job.id);
      if (arrival !== undefined)
        return { jobMs, deliveryMs: Math.max(0, arrival - Date.parse(job.completed_at!)) };
    }
    return { jobMs, deliveryMs: null };
  }

  private async call({ workspaceId, apiKey }: Tenant, method: string, path: string, body?: object) {
    const answer = await fetch(`${this.api.url}/api/v1/workspaces/${workspaceId}${path}`, {
      method,
      signal: requestTimeout(),
      headers: { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (method === 'GET' && !path.startsWith('/jobs/')) await answer.arrayBuffer();
    return answer;
  }
}

const requestTimeout = (): AbortSignal => AbortSignal.timeout(REQUEST_TIMEOUT_MS);

function percentile(values: readonly number[], share: number): number | null {
  return values.length === 0 ? null : rounded(quantile(values, share));
}
