import { Module } from '@nestjs/common';
import { JobsModule } from './jobs.module.js';
import { JobLogController } from './scraping/log/job-log.controller.js';
import { ExecutionsModule } from './executions.module.js';

/** Jobs' logs over HTTP; part of the api role. */
@Module({
  imports: [ExecutionsModule, JobsModule],
  controllers: [JobLogController],
})
export class JobLogModule {}
