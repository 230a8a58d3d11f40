import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientAnswer, ClientRequest, RoundRobinClient } from './round-robin-client.js';
import { type Fact, RequestHistory } from '../../support/request-history.js';
import type { Sample } from './load-report.js';
import type { Tenant } from './soak-attacks.js';

/** Maximum number of requests of one kind in flight; further requests that are due are skipped. */
const IN_FLIGHT = 40;
/** Pause before a job is requested again under the same key. */
const REPEAT_MS = 1_000;
/** Longer in total than the lease of a request whose API was killed, which is a minute. */
const REPEATS = 90;

/** What an answer shows for the history, if anything. */
type FactOf = (answer: ClientAnswer) => Fact | null;

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
  readonly history = new RequestHistory();
  readonly requested: RequestedJobs = { accepted: new Set(), refused: new Set() };
  private readonly inFlight = new Set<Promise<void>>();
  private readonly loops: Promise<void>[] = [];
  private readonly stopping = new AbortController();
  private jobs = 0;
  private lastJob = new Map<string, string>();

  constructor(private readonly options: TrafficOptions) {}

  start(): void {
    const { readEveryMs, jobEveryMs } = this.options;
    const read = (kind: string, path: string, factOf?: (tenant: Tenant) => FactOf): void =>
      this.every(readEveryMs, (tenant) => this.send(kind, tenant, { method: 'GET', path }, factOf?.(tenant)));
    read('list posts', '/posts?limit=20', totalOf('posts'));
    read('search posts', '/posts?q=new+OR+first&sort_by=score&limit=10', totalOf('posts found'));
    read('list comments', '/comments?limit=20&min_score=1');
    this.every(readEveryMs, (tenant) => this.readJob(tenant));
    read('list alerts', '/alerts');
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

  /** Reads the newest job of the workspace. */
  private readJob(tenant: Tenant): Promise<ClientAnswer> {
    const key = this.lastJob.get(tenant.workspaceId);
    if (key === undefined) return this.send('get job', tenant, { method: 'GET', path: '/jobs' });
    return this.send('get job', tenant, { method: 'GET', path: `/jobs/${key}` }, ({ status }) =>
      status === 200 || status === 404 ? { kind: 'read', list: 'jobs', key, isFound: status === 200 } : null,
    );
  }

  /** Requests one job under one key until an API accepts it. */
  private async createJob(tenant: Tenant): Promise<void> {
    const { jobs } = this.options;
    const body = jobs[Math.floor(this.jobs++ / this.options.tenants.length) % jobs.length]!;
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let attempt = 0; attempt <= REPEATS; attempt += 1) {
      const kind = attempt === 0 ? 'create job' : 'create job again';
      const request = { method: 'POST', path: '/jobs', headers, body } as const;
      const answer = await this.send(kind, tenant, request, createdJob);
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
    factOf: FactOf = () => null,
  ): Promise<ClientAnswer> {
    const at = performance.now();
    const path = `/api/v1/workspaces/${workspaceId}${request.path}`;
    const headers = { 'X-API-Key': apiKey, ...request.headers };
    const send = (): Promise<ClientAnswer> => this.options.client.send({ ...request, path, headers });
    const answer = await this.history.observe(workspaceId, send, factOf);
    const code = (answer.body as { code?: string } | null)?.code;
    this.samples.push({ kind, at, ms: performance.now() - at, status: answer.status, ...(code && { code }) });
    return answer;
  }
}

const totalOf =
  (what: string) =>
  ({ workspaceId }: Tenant): FactOf =>
  ({ status, body }) =>
    status === 200
      ? { kind: 'total', list: `${what} of ${workspaceId}`, total: (body as { total: number }).total }
      : null;

const createdJob: FactOf = ({ status, body }) =>
  status === 201 ? { kind: 'write', list: 'jobs', key: (body as { id: string }).id } : null;
