import { Module } from '@nestjs/common';
import { JobExecutionsRepository } from './scraping/job-executions.repository.js';
import { KeywordFrequenciesRepository } from './scraping/keyword-frequencies.repository.js';
import { JobLogRepository } from './scraping/log/job-log.repository.js';
import { WorkListRepository } from './scraping/work-list.repository.js';

const REPOSITORIES = [
  JobExecutionsRepository,
  JobLogRepository,
  KeywordFrequenciesRepository,
  WorkListRepository,
];

/** What executions of jobs store besides posts, comments and media. */
@Module({ providers: REPOSITORIES, exports: REPOSITORIES })
export class ExecutionsModule {}
