import { BullModule } from '@nestjs/bull';
import { Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { SCRAPE_QUEUE } from '../../infrastructure/queue/queues.js';
import { JobQueue } from '../jobs/job-queue.js';
import { DatabaseClock, PostgresClock } from './database-clock.js';
import { DueClaimer } from './due-claimer.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { JobAnnouncer } from './job-announcer.js';
import { RunHistoryPruner } from './run-history-pruner.js';
import { SchedulesTicker } from './schedules-ticker.js';

/** What a scheduler process does. It serves no resources, so it takes the queue without the jobs module's controller. */
@Module({
  imports: [ScheduleModule.forRoot(), BullModule.registerQueue({ name: SCRAPE_QUEUE })],
  providers: [
    SchedulesTicker,
    RunHistoryPruner,
    DueClaimer,
    DueSchedulesRepository,
    JobQueue,
    { provide: JobAnnouncer, inject: [JobQueue], useFactory: (queue: JobQueue) => new JobAnnouncer(queue) },
    { provide: DatabaseClock, useClass: PostgresClock },
  ],
})
export class SchedulesTickerModule {}
