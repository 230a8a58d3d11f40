import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { DatabaseClock, PostgresClock } from '../../database/database-clock.js';
import { JobQueueModule } from '../jobs/job-queue.module.js';
import { JobQueue } from '../jobs/job-queue.js';
import { ScheduledJobsRepository } from '../jobs/scheduled-jobs.repository.js';
import { DueClaimer } from './due-claimer.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { JobEnqueuer } from './job-enqueuer.js';
import { OccurrencePruner } from './occurrence-pruner.js';
import { SchedulesTicker } from './schedules-ticker.js';

/** The scheduler role: claims due schedules and prunes their history. It has no controllers. */
@Module({
  imports: [ScheduleModule.forRoot(), JobQueueModule],
  providers: [
    SchedulesTicker,
    OccurrencePruner,
    DueClaimer,
    DueSchedulesRepository,
    ScheduledJobsRepository,
    { provide: JobEnqueuer, inject: [JobQueue], useFactory: (queue: JobQueue) => new JobEnqueuer(queue) },
    { provide: DatabaseClock, useClass: PostgresClock },
  ],
})
export class SchedulesTickerModule {}
