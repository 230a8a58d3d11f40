import { Module } from '@nestjs/common';
import { JobsModule } from '../../jobs/jobs.module.js';
import { JobLogController } from './job-log.controller.js';
import { JobLogRepository } from './job-log.repository.js';

/** Jobs' logs over HTTP; part of the api role. */
@Module({
  imports: [JobsModule],
  controllers: [JobLogController],
  providers: [JobLogRepository],
})
export class JobLogModule {}
