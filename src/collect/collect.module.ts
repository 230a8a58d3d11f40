import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertMatchingModule } from '../alerts/alert-matching.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { Removals } from '../tenants/ports/removals.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { ErasedAccounts } from './removal/erased-accounts.js';
import { ErasedStreams } from './removal/erased-streams.js';
import { ExpiredJobs } from './removal/expired-jobs.js';
import { WorkspaceJobs } from './removal/workspace-jobs.js';
import { DumpImport } from './imports/dump-import.entity.js';
import { DumpImportService } from './imports/dump-import.service.js';
import { DumpImportsRepository } from './imports/dump-imports.repository.js';
import { StoredAnalysis } from './imports/stored-analysis.service.js';
import { Job } from './jobs/job.entity.js';
import { JobsRepository } from './jobs/jobs.repository.js';
import { DueSchedulesRepository } from './schedules/due-schedules.repository.js';
import { Schedule } from './schedules/schedule.entity.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';
import { JobExecutionsRepository } from './scraping/job-executions.repository.js';
import { KeywordFrequenciesRepository } from './scraping/keyword-frequencies.repository.js';
import { JobLogRepository } from './scraping/log/job-log.repository.js';
import { WorkListRepository } from './scraping/work-list.repository.js';
import { HeardTextsRepository } from './streams/heard-texts.repository.js';
import { ListenersRepository } from './streams/listeners.repository.js';
import { StreamsRepository } from './streams/streams.repository.js';
import { TopicListings } from './streams/topic-listings.js';
import { UnreadSources } from './streams/unread-sources.js';

const REPOSITORIES = [
  JobsRepository,
  JobExecutionsRepository,
  JobLogRepository,
  KeywordFrequenciesRepository,
  WorkListRepository,
  SchedulesRepository,
  DueSchedulesRepository,
  StreamsRepository,
  HeardTextsRepository,
  ListenersRepository,
  TopicListings,
];

/** The tables of jobs, schedules and streams, and imports of dumps; needs only Postgres, so that commands use it too. */
@Module({
  imports: [
    AlertMatchingModule,
    CommentsModule,
    PostsModule,
    TypeOrmModule.forFeature([DumpImport, Job, Schedule]),
  ],
  providers: [
    ...REPOSITORIES,
    DumpImportService,
    DumpImportsRepository,
    StoredAnalysis,
    UnreadSources,
    ErasedAccounts,
    ErasedStreams,
    ExpiredJobs,
    WorkspaceJobs,
  ],
  exports: [...REPOSITORIES, DumpImportService, StoredAnalysis],
})
export class CollectModule {
  constructor(
    quotas: QuotasService,
    removals: Removals,
    jobs: JobsRepository,
    listeners: ListenersRepository,
    workList: WorkListRepository,
    log: JobLogRepository,
  ) {
    quotas.register('listened_posts_per_day', (workspaceId, tx) => listeners.storedToday(workspaceId, tx));
    quotas.register('pending_jobs', (workspaceId, tx) => jobs.countPending(workspaceId, tx));
    removals.register({
      tables: ['job_log'],
      when: 'erasure',
      posts: log.forgetPosts.bind(log),
      jobs: (workspaceId, ids, tx) =>
        log.removeAll(
          ids.map((id) => ({ workspaceId, id })),
          tx,
        ),
    });
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
