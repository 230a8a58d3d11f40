import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientAnswer, ClientRequest, RoundRobinClient } from './round-robin-client.js';
import type { Sample } from './load-report.js';
import type { Tenant } from './soak-attacks.js';

/** Maximum number of requests of one kind in flight; further requests that are due are skipped. */
const IN_FLIGHT = 40;
/** Pause before a job is requested again under the same key. */
const REPEAT_MS = 1_000;
/** Longer in total than the lease of a request whose API was killed, which is a minute. */
const REPEATS = 90;

/** Jobs that clients requested. */
export interface RequestedJobs {
  /** Bare ids of accepted jobs. */
  accepted: Set<string>;
  /** Idempotency keys that no API accepted. */
  refused: Set<string>;
}

/** What {@link LoadTraffic} sends, and how often. */
export interface TrafficOptions {
  client: Pick<RoundRobinClient, 'send'>;
  tenants: readonly Tenant[];
  /** Bodies of POST /jobs; each workspace sends them in turn. */
  jobs: readonly object[];
  /** Pauses between two requests of a kind, in milliseconds. */
  readEveryMs: number;
  jobEveryMs: number;
}

/**
 * A constant mix of requests by clients of several workspaces. Each client keeps its pace whatever the responses are.
 */
export class LoadTraffic {
  readonly samples: Sample[] = [];
  readonly requested: RequestedJobs = { accepted: new Set(), refused: new Set() };
  private readonly inFlight = new Set<Promise<void>>();
  private readonly loops: Promise<void>[] = [];
  private readonly stopping = new AbortController();
  private jobs = 0;
  private lastJob = new Map<string, string>();

  constructor(private readonly options: TrafficOptions) {}

  start(): void {
    const { readEveryMs, jobEveryMs } = this.options;
    const read = (kind: string, path: (tenant: Tenant) => string): void =>
      this.every(readEveryMs, (tenant) => this.send(kind, tenant, { method: 'GET', path: path(tenant) }));
    read('list posts', () => '/posts?limit=20');
    read('search posts', () => '/posts?q=new+OR+first&sort_by=score&limit=10');
    read('list comments', () => '/comments?limit=20&min_score=1');
    read('get job', ({ workspaceId }) =>
      this.lastJob.has(workspaceId) ? `/jobs/${this.lastJob.get(workspaceId)}` : '/jobs',
    );
    read('list alerts', () => '/alerts');
    this.every(jobEveryMs, (tenant) => this.createJob(tenant));
  }

  /** Resolves when every request has its response and every requested job was accepted or refused. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
  }

  private every(pauseMs: number, act: (tenant: Tenant) => Promise<unknown>): void {
    const { tenants } = this.options;
    let running = 0;
    const loop = async (): Promise<void> => {
      for (let turn = 0; !this.stopping.signal.aborted; turn += 1) {
        if (running < IN_FLIGHT) {
          running += 1;
          const acted = act(tenants[turn % tenants.length]!).then(() => {
            running -= 1;
            this.inFlight.delete(acted);
          });
          this.inFlight.add(acted);
        }
        await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    };
    this.loops.push(loop());
  }

  /** Requests one job under one key until an API accepts it. */
  private async createJob(tenant: Tenant): Promise<void> {
    const { jobs } = this.options;
    const body = jobs[Math.floor(this.jobs++ / this.options.tenants.length) % jobs.length]!;
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let attempt = 0; attempt <= REPEATS; attempt += 1) {
      const kind = attempt === 0 ? 'create job' : 'create job again';
      const answer = await this.send(kind, tenant, { method: 'POST', path: '/jobs', headers, body });
      if (answer.status === 201) {
        const { id } = answer.body as { id: string };
        this.lastJob.set(tenant.workspaceId, id);
        this.requested.accepted.add(id.replace(/^job_/, ''));
        return;
      }
      await sleep(REPEAT_MS);
    }
    this.requested.refused.add(headers['Idempotency-Key']);
  }

  private async send(
    kind: string,
    { workspaceId, apiKey }: Tenant,
    request: Omit<ClientRequest, 'headers'> & { headers?: Record<string, string> },
  ): Promise<ClientAnswer> {
    const at = performance.now();
    const answer = await this.options.client.send({
      ...request,
      path: `/api/v1/workspaces/${workspaceId}${request.path}`,
      headers: { 'X-API-Key': apiKey, ...request.headers },
    });
    const code = (answer.body as { code?: string } | null)?.code;
    this.samples.push({ kind, at, ms: performance.now() - at, status: answer.status, ...(code && { code }) });
    return answer;
  }
}
