import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { MetricsRegistry } from '../infrastructure/metrics/metrics-registry.js';
import { registerStateGauge } from '../infrastructure/metrics/state-gauge.js';
import { PlatformModule } from '../platforms/platform.module.js';
import { InactiveWorkspaces } from '../tenants/workspaces/inactive-workspaces.js';
import { JobQueueModule } from './job-queue.module.js';
import { ScheduledJobsRepository } from './jobs/scheduled-jobs.repository.js';
import { DueClaimer } from './schedules/due-claimer.js';
import { DueSchedulesRepository } from './schedules/due-schedules.repository.js';
import { JobEnqueuer } from './schedules/job-enqueuer.js';
import { OccurrencePruner } from './schedules/occurrence-pruner.js';
import { SchedulesTicker } from './schedules/schedules-ticker.js';
import { HeardStore } from './streams/heard-store.js';
import { ListenedQueries } from './streams/listened-queries.js';
import { StreamPruner } from './streams/stream-pruner.js';
import { StreamReader } from './streams/stream-reader.js';
import { DueJobs } from './schedules/due-jobs.js';

/** The scheduler role: claims due schedules, prunes their history, and reads the streams of platforms. */
@Module({
  imports: [ScheduleModule.forRoot(), JobQueueModule, PlatformModule],
  providers: [
    SchedulesTicker,
    OccurrencePruner,
    DueClaimer,
    DueJobs,
    ScheduledJobsRepository,
    JobEnqueuer,
    HeardStore,
    ListenedQueries,
    StreamReader,
    StreamPruner,
  ],
})
export class CollectSchedulerModule {
  constructor(
    claimer: DueClaimer,
    schedules: DueSchedulesRepository,
    inactive: InactiveWorkspaces,
    @InjectDataSource() dataSource: DataSource,
    { registry }: MetricsRegistry,
  ) {
    registry.registerMetric(claimer.occurrences);
    registerStateGauge(
      registry,
      { name: 'wss_schedule_lag_seconds', help: 'Delay of the most overdue schedule' },
      async () => (await schedules.backlog(inactive.ids, dataSource.manager)).oldestSeconds,
    );
  }
}
