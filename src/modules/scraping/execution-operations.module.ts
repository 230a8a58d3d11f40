import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { JobRetries } from './job-retries.js';
import { WorkListRepository } from './work-list.repository.js';

/** Lets operators list executions and restart them; part of the api role. */
@Module({
  imports: [JobsModule],
  providers: [JobExecutionsRepository, JobRetries, WorkListRepository],
  exports: [JobExecutionsRepository, JobRetries],
})
export class ExecutionOperationsModule {}
