import { Module } from '@nestjs/common';
import { JobsModule } from './jobs.module.js';
import { JobRetries } from './scraping/job-retries.js';
import { ExecutionsModule } from './executions.module.js';

/** Lets operators list executions and restart them; part of the api role. */
@Module({
  imports: [ExecutionsModule, JobsModule],
  providers: [JobRetries],
  exports: [ExecutionsModule, JobRetries],
})
export class ExecutionOperationsModule {}
