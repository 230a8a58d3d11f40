import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExportJob, ExportPart } from './exports/export-job.entity.js';
import { ExportJobsRepository } from './exports/export-jobs.repository.js';
import { ExportMetrics } from './exports/export-metrics.js';
import { CommentsModule } from '../content/comments.module.js';
import { ContentModule } from '../content/content.module.js';
import { ErasedExports } from './exports/erased-exports.js';
import { PostsModule } from '../content/posts.module.js';
import { Pseudonyms } from './exports/pseudonyms.js';
import { PinnedTrendsModule } from './pinned-trends.module.js';
import { RecurringExportsModule } from './recurring-exports.module.js';
import { ExportQuota } from './exports/export-quota.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';
import { Traces } from '../tenants/ports/traces.js';
import { Overview } from '../tenants/ports/overview.js';
import { MediaStore } from '../content/media/media-store.js';
import { workspaceExportsFolder } from './exports/export-jobs.service.js';
import { ListeningSearches } from './searches/listening-searches.js';
import { ReportedSearches } from './searches/reported-searches.js';
import { SavedSearch } from './searches/saved-search.entity.js';
import { SavedSearchesRepository } from './searches/saved-searches.repository.js';

const PROVIDERS = [SavedSearchesRepository, Pseudonyms, ExportJobsRepository, ExportMetrics, ExportQuota];

/** Saved searches, pinned trends, and exports with their quota and metrics, for the processes that create and those that write them. */
@Module({
  imports: [
    CommentsModule,
    ContentModule,
    PinnedTrendsModule,
    PostsModule,
    RecurringExportsModule,
    TypeOrmModule.forFeature([ExportJob, ExportPart, SavedSearch]),
  ],
  providers: [...PROVIDERS, ErasedExports, ListeningSearches, ReportedSearches],
  exports: [...PROVIDERS, PinnedTrendsModule, RecurringExportsModule],
})
export class ExportJobsModule {
  constructor(
    stores: WorkspaceStores,
    overview: Overview,
    traces: Traces,
    exports: ExportJobsRepository,
    searches: SavedSearchesRepository,
    files: MediaStore,
  ) {
    traces.register({
      erase: async (workspaceId, subject) => {
        if (subject?.kind === 'author') await searches.eraseAuthor(workspaceId, subject.author);
      },
    });
    overview.registerQueue('exports', exports.backlog.bind(exports));
    stores.register({ empty: (workspaceId) => files.removeFolder(workspaceExportsFolder(workspaceId)) });
  }
}
