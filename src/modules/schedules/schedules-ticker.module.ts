import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { JobQueueModule } from '../jobs/job-queue.module.js';
import { JobQueue } from '../jobs/job-queue.js';
import { DatabaseClock, PostgresClock } from './database-clock.js';
import { DueClaimer } from './due-claimer.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { JobAnnouncer } from './job-announcer.js';
import { RunHistoryPruner } from './run-history-pruner.js';
import { SchedulesTicker } from './schedules-ticker.js';

/** What a scheduler process does. It serves no resources, so it takes the queue without the jobs module's controller. */
@Module({
  imports: [ScheduleModule.forRoot(), JobQueueModule],
  providers: [
    SchedulesTicker,
    RunHistoryPruner,
    DueClaimer,
    DueSchedulesRepository,
    { provide: JobAnnouncer, inject: [JobQueue], useFactory: (queue: JobQueue) => new JobAnnouncer(queue) },
    { provide: DatabaseClock, useClass: PostgresClock },
  ],
})
export class SchedulesTickerModule {}
