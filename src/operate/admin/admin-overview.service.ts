import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { withTimeout } from '../../common/timeout.js';
import { VERSION } from '../../common/version.js';
import { DatabasePools } from '../../database/database-pools.js';
import { REDIS } from '../../infrastructure/queue/redis.js';
import { PlatformBudgets } from '../../platforms/platform-budgets.js';
import { Overview } from '../../tenants/ports/overview.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import type { OverviewDto, QueueOverviewDto, RequestBudgetDto, ServerHealthDto } from './dto/overview.dto.js';

/** Timeout of each part of the overview, so that one slow part cannot block the others. */
const ANSWER_WITHIN_MS = 2_000;
/** Parts read in parallel, so that an overview uses few of the process's database connections. */
const READ_AT_ONCE = 3;
/** Fields that owners register, in the order of the answer. */
const PARTS = [
  'executions',
  'failed_jobs',
  'ended_jobs',
  'workers',
  'outbox',
  'destinations',
  'destinations_circuit_open',
] as const;
type Part = (typeof PARTS)[number];

/** The state of the whole service, read afresh on each call. */
@Injectable()
export class AdminOverviewService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: Redis,
    private readonly pools: DatabasePools,
    private readonly overview: Overview,
    private readonly budgets: PlatformBudgets,
    private readonly inactive: InactiveWorkspaces,
  ) {}

  /** Never throws when Postgres or Redis is unavailable: the parts that come from it are null. */
  async read(): Promise<OverviewDto> {
    const [postgres, redis] = await Promise.all([
      measure(() =>
        this.dataSource.query<[{ version: string }]>(`SELECT current_setting('server_version') AS version`),
      ),
      measure(() => this.redis.info('server')),
    ]);
    const limit = pLimit(READ_AT_ONCE);
    const ofPostgres = <T>(read: () => Promise<T>): Promise<T | null> =>
      postgres === null ? Promise.resolve(null) : limit(async () => (await measure(read))?.answer ?? null);
    const [queues, budget, ...parts] = await Promise.all([
      ofPostgres(() => this.readQueues()),
      redis === null ? null : this.readBudgets().catch(() => null),
      ...PARTS.map((name) => ofPostgres(() => this.overview.read(name))),
    ]);
    return {
      queues,
      request_budget: budget,
      ...(Object.fromEntries(PARTS.map((name, index) => [name, parts[index]])) as Pick<OverviewDto, Part>),
      database: {
        ...healthOf(postgres),
        pools: this.pools.usage().map(({ pool, inUse, waiting }) => ({ pool, in_use: inUse, waiting })),
      },
      redis: healthOf(redis),
      versions: {
        service: VERSION,
        node: process.version,
        postgres: postgres?.answer[0].version ?? null,
        redis: /^redis_version:(\S+)/m.exec(redis?.answer ?? '')?.[1] ?? null,
      },
    };
  }

  private async readQueues(): Promise<QueueOverviewDto[]> {
    const backlogs = await this.overview.backlogs(this.inactive.ids);
    return backlogs.map(({ queue, count, oldestSeconds }) => ({
      queue,
      waiting: count,
      oldest_seconds: oldestSeconds,
    }));
  }

  private async readBudgets(): Promise<RequestBudgetDto[]> {
    const states = await withTimeout(this.budgets.states(), ANSWER_WITHIN_MS, 'Redis did not answer');
    return states.map(({ source, limit, withinMs, used, remaining, waiting, windowEndsInMs }) => ({
      source,
      limit,
      window_seconds: withinMs / 1_000,
      used,
      remaining,
      waiting,
      resets_in_seconds: windowEndsInMs === null ? null : windowEndsInMs / 1_000,
    }));
  }
}

/** The result of a read and its duration in milliseconds; null if it fails or times out. */
async function measure<T>(read: () => Promise<T>): Promise<{ answer: T; ms: number } | null> {
  const startedAt = performance.now();
  try {
    const answer = await withTimeout(read(), ANSWER_WITHIN_MS, 'no answer in time');
    return { answer, ms: performance.now() - startedAt };
  } catch {
    return null;
  }
}

function healthOf(measured: { ms: number } | null): ServerHealthDto {
  return measured === null
    ? { status: 'unavailable', latency_ms: null }
    : { status: 'ok', latency_ms: Math.round(measured.ms * 10) / 10 };
}
