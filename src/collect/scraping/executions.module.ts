import { Module } from '@nestjs/common';
import { JobExecutionsRepository } from './job-executions.repository.js';
import { KeywordFrequenciesRepository } from './keyword-frequencies.repository.js';
import { JobLogRepository } from './log/job-log.repository.js';
import { WorkListRepository } from './work-list.repository.js';

const REPOSITORIES = [
  JobExecutionsRepository,
  JobLogRepository,
  KeywordFrequenciesRepository,
  WorkListRepository,
];

/** What executions of jobs store besides posts, comments and media. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class ExecutionsModule {}
