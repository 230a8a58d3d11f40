import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '../../database/database-clock.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { DEFAULT_PAGE_SIZE, type OffsetPageDto } from '../../http/pages/page.dto.js';
import type { Job } from '../jobs/job.entity.js';
import { PendingJobs } from '../jobs/pending-jobs.js';
import { ScheduleRunDto, type ScheduleRunPageDto } from './dto/schedule-runs.dto.js';
import { found, withValidZone } from './schedule-problems.js';
import { upcoming } from './schedule-timing.js';
import { scheduledJob } from './scheduled-job.js';
import { SchedulesRepository } from './schedules.repository.js';

const DEFAULT_NEXT_COUNT = 5;

/** Past, coming and manual runs of schedules. */
@Injectable()
export class ScheduleRunsService {
  constructor(
    private readonly schedules: SchedulesRepository,
    private readonly pending: PendingJobs,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * Creates a job immediately, even if the schedule is paused or its last job is unfinished. The next due time does not
   * change.
   */
  async runNow(workspaceId: string, id: string): Promise<Job> {
    const job = await this.transactions.run(async (tx) => {
      const schedule = found(await this.schedules.lock(workspaceId, id, tx));
      const now = await this.clock.now(tx);
      const created = scheduledJob(schedule, now);
      await this.pending.insert(created, tx);
      await this.schedules.insertManualOccurrence(workspaceId, id, { jobId: created.id, at: now }, tx);
      const changes = { lastRunAt: now, lastJobId: created.id, runCount: schedule.runCount + 1 };
      await this.schedules.update(workspaceId, id, changes, tx);
      return created;
    });
    await this.pending.wakeWorker(job);
    return job;
  }

  async listRuns(workspaceId: string, id: string, query: OffsetPageDto): Promise<ScheduleRunPageDto> {
    found(await this.schedules.find(workspaceId, id));
    const { limit = DEFAULT_PAGE_SIZE, offset = 0 } = query;
    const [occurrences, total] = await this.schedules.listOccurrences(workspaceId, id, { limit, offset });
    return {
      runs: occurrences.map((occurrence) => ScheduleRunDto.from(occurrence)),
      total,
      has_more: offset + occurrences.length < total,
    };
  }

  async nextRuns(workspaceId: string, id: string, count = DEFAULT_NEXT_COUNT): Promise<Date[]> {
    const schedule = found(await this.schedules.find(workspaceId, id));
    const now = await this.clock.now();
    return withValidZone(() => upcoming(schedule, now, count));
  }
}
