import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem, type ProblemExtra } from '../../http/problems/problem.js';
import { WorkspacesRepository } from '../workspaces/workspaces.repository.js';
import { defaultLimit, type Quota, QUOTAS, type StockQuota } from '../../config/quotas.js';

/** How long a process may keep using a workspace's previous concurrency limits. */
const LIMITS_MAX_AGE_MS = 1_000;
const MAX_CACHED_WORKSPACES = 10_000;

const STOCK_REMEDY = 'Delete what you no longer need, or ask the operator for a higher limit.';

/** Counts a workspace's usage; provided by the module that owns the table. */
export type UsageCount = (workspaceId: string, tx?: EntityManager) => Promise<number>;

/**
 * Limits per workspace. Stock quotas are exact: the workspace's row stays locked until the adding transaction ends, so
 * that concurrent transactions see each other's additions.
 */
@Injectable()
export class QuotasService {
  /** Refusals by quota. Not registered here, because commands have no metrics. */
  readonly refusals = new Counter({
    name: 'wss_quota_refusals_total',
    help: 'Requests and scheduled jobs refused because of a quota',
    labelNames: ['quota'],
    registers: [],
  });
  private readonly counts = new Map<string, UsageCount>();
  private readonly overrides = new LRUCache<string, Record<string, number>>({
    max: MAX_CACHED_WORKSPACES,
    ttl: LIMITS_MAX_AGE_MS,
    fetchMethod: (workspaceId) => this.workspaces.findQuotas(workspaceId),
  });

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly workspaces: WorkspacesRepository,
  ) {}

  /**
   * Registers how to count the usage of a stock quota, or of `posts` or `comments`. Call it once per name, at startup.
   */
  register(name: string, count: UsageCount): void {
    this.counts.set(name, count);
  }

  /** Current usage; 0 if no module in this process counts it. */
  async used(name: string, workspaceId: string, tx?: EntityManager): Promise<number> {
    return (await this.counts.get(name)?.(workspaceId, tx)) ?? 0;
  }

  /** The operator's limits of all quotas, for workspaces without their own. */
  defaults(): Record<Quota, number> {
    return this.limitsOf({});
  }

  /** The limit of a quota, at most a second old; 0 means no limit. */
  async limit(workspaceId: string, quota: Quota): Promise<number> {
    return this.limitOf(quota, (await this.overrides.fetch(workspaceId)) ?? {});
  }

  /** The current limits of all quotas; {@link limit} returns these values from then on. */
  async limits(workspaceId: string): Promise<Record<Quota, number>> {
    const overrides = (await this.overrides.fetch(workspaceId, { forceRefresh: true })) ?? {};
    return this.limitsOf(overrides);
  }

  /**
   * How many more fit into a stock quota, `Infinity` without a limit. Locks the workspace's quotas until the
   * transaction ends, so call it before locking any other rows of the workspace.
   */
  async remaining(workspaceId: string, quota: StockQuota, tx: EntityManager): Promise<number> {
    const limit = this.limitOf(quota, await this.workspaces.lockQuotas(workspaceId, tx));
    return limit === 0 ? Infinity : limit - (await this.used(quota, workspaceId, tx));
  }

  /**
   * Throws 403 `quota_exceeded` unless `adding` more fit into a stock quota. Takes the same locks as {@link remaining}.
   */
  async enforce(workspaceId: string, quota: StockQuota, adding: number, tx: EntityManager): Promise<void> {
    const limit = this.limitOf(quota, await this.workspaces.lockQuotas(workspaceId, tx));
    if (limit === 0) return;
    const used = await this.used(quota, workspaceId, tx);
    if (used + adding <= limit) return;
    throw this.refusal('quota_exceeded', { quota, limit, used, requested: adding }, STOCK_REMEDY);
  }

  /** Creates the problem for a refusal and counts it in the metric. The problem's detail ends with `remedy`. */
  refusal(
    code: 'quota_exceeded' | 'too_many_concurrent_requests',
    { requested, ...members }: { quota: Quota; limit: number; used: number; requested?: number },
    remedy: string,
    headers?: ProblemExtra['headers'],
  ): Problem {
    const { quota, limit, used } = members;
    this.refusals.inc({ quota });
    const more = requested === undefined ? '' : `, requested ${requested}`;
    const detail = `Quota ${quota} exceeded: limit ${limit}, used ${used}${more}. ${remedy}`;
    return new Problem(code, detail, { members, ...(headers && { headers }) });
  }

  private limitsOf(overrides: Record<string, number>): Record<Quota, number> {
    return Object.fromEntries(QUOTAS.names.map((quota) => [quota, this.limitOf(quota, overrides)])) as Record<
      Quota,
      number
    >;
  }

  private limitOf(quota: string, overrides: Record<string, number>): number {
    return overrides[quota] ?? defaultLimit(this.environment, quota);
  }
}
