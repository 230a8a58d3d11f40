import { Injectable } from '@nestjs/common';
import { chunksOf } from '../../common/collections.js';
import { newId } from '../../common/ids.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { PluginRegistry } from '../../enrichment/plugins/plugin-registry.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { ScheduleDto } from './dto/schedule.dto.js';
import { wholeConfig } from './dto/schedule-config.dto.js';
import type { CreateScheduleDto, UpdateScheduleDto } from './dto/write-schedule.dto.js';
import { nextDue } from './schedule-timing.js';
import { found, withValidZone } from './schedule-problems.js';
import type { Schedule } from './schedule.entity.js';
import { SchedulesRepository } from './schedules.repository.js';

const INSERTED_AT_ONCE = 1_000;

/** Schedules of one workspace: creation and changes. */
@Injectable()
export class SchedulesService {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly transactions: TransactionRunner,
    private readonly quotas: QuotasService,
    private readonly clock: DatabaseClock,
    private readonly plugins: PluginRegistry,
  ) {}

  list(workspaceId: string): Promise<Schedule[]> {
    return this.schedules.list(workspaceId);
  }

  /** One schedule. Throws 404 when the workspace has no such schedule. */
  async get(workspaceId: string, id: string): Promise<Schedule> {
    return found(await this.schedules.find(workspaceId, id));
  }

  async create(workspaceId: string, request: CreateScheduleDto): Promise<Schedule> {
    this.refuseUnknownPlugins(request);
    const schedule = scheduleOf(workspaceId, request, await this.clock.now());
    await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'schedules', 1, tx);
      await this.schedules.insert(schedule, tx);
    });
    return schedule;
  }

  /**
   * Creates a schedule of the same kind for each target of a list that has none, as long as the quota has room for it.
   * Returns the targets that got one and those for which there was no room.
   */
  async createMissing(
    workspaceId: string,
    targets: ReadonlySet<string>,
    request: Omit<CreateScheduleDto, 'target'>,
  ): Promise<{ created: string[]; refused: string[] }> {
    return this.transactions.run(async (tx) => {
      const room = await this.quotas.remaining(workspaceId, 'schedules', tx);
      const known = new Set((await this.schedules.list(workspaceId, tx)).map(({ target }) => target));
      const missing = [...targets].filter((target) => !known.has(target));
      const created = missing.slice(0, Math.max(0, room));
      const now = await this.clock.now(tx);
      for (const some of chunksOf(created, INSERTED_AT_ONCE))
        await this.schedules.insert(
          some.map((target) => scheduleOf(workspaceId, { ...request, target }, now)),
          tx,
        );
      return { created, refused: missing.slice(created.length) };
    });
  }

  async update(workspaceId: string, id: string, request: UpdateScheduleDto): Promise<Schedule> {
    this.refuseUnknownPlugins(request);
    return this.transactions.run(async (tx) => {
      const before = found(await this.schedules.lock(workspaceId, id, tx));
      const changes = changesOf(before, request, await this.clock.now(tx));
      await this.schedules.update(workspaceId, id, changes, tx);
      const after = { ...before, ...changes };
      noteRecord(ScheduleDto.from(before), ScheduleDto.from(after));
      return after;
    });
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.get(workspaceId, id), null);
    if (!(await this.schedules.delete(workspaceId, id))) throw Problem.notFound('schedule');
  }

  private refuseUnknownPlugins({ config }: Pick<CreateScheduleDto, 'config'>): void {
    const refusal = this.plugins.refuse(config?.plugins ?? []);
    if (refusal !== null) throw Problem.validation([{ field: 'config.plugins', message: refusal }]);
  }
}

function scheduleOf(workspaceId: string, request: CreateScheduleDto, now: Date): Schedule {
  const timed = {
    id: newId(),
    cronExpression: request.cron_expression,
    config: request.config == null ? {} : wholeConfig(request.config),
  };
  return {
    ...timed,
    workspaceId,
    target: request.target,
    targetType: request.target_type ?? 'forum',
    mode: request.mode ?? 'history',
    isActive: true,
    lastRunAt: null,
    nextRunAt: nextDue(timed, now),
    runCount: 0,
    lastJobId: null,
    resumedAt: now,
    createdAt: now,
  };
}

/** The columns that an update changes. The due time is kept unless the schedule is resumed or its timing changes. */
function changesOf(before: Schedule, request: UpdateScheduleDto, now: Date): Partial<Schedule> {
  const after = {
    id: before.id,
    mode: request.mode ?? before.mode,
    config: request.config == null ? before.config : wholeConfig(request.config),
    cronExpression: request.cron_expression ?? before.cronExpression,
    isActive: request.is_active ?? before.isActive,
  };
  const resumed = after.isActive && !before.isActive;
  const retimed =
    after.cronExpression !== before.cronExpression ||
    after.config.timezone !== before.config.timezone ||
    after.config.jitter_seconds !== before.config.jitter_seconds;
  return {
    ...after,
    ...(resumed && { resumedAt: now }),
    ...((resumed || retimed) && { nextRunAt: withValidZone(() => nextDue(after, now)) }),
  };
}
