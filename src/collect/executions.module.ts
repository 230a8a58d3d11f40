import { Module } from '@nestjs/common';
import { PortsModule } from '../tenants/ports.module.js';
import { Removals } from '../tenants/ports/removals.js';
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

/** Rows of executions of jobs besides posts, comments and media. */
@Module({ imports: [PortsModule], providers: REPOSITORIES, exports: REPOSITORIES })
export class ExecutionsModule {
  constructor(removals: Removals, workList: WorkListRepository) {
    removals.register({
      tables: ['job_media', 'job_posts'],
      when: 'always',
      posts: workList.removePosts.bind(workList),
    });
    removals.register({
      tables: ['job_stored_posts'],
      when: 'erasure',
      posts: workList.forgetStored.bind(workList),
    });
  }
}
