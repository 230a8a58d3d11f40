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
import { RecurringExport } from './exports/recurring/recurring-export.entity.js';
import { RecurringExportsRepository } from './exports/recurring/recurring-exports.repository.js';
import { ExportQuota } from './exports/export-quota.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';
import { Traces } from '../tenants/ports/traces.js';
import { Overview } from '../tenants/ports/overview.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { MediaStore } from '../content/media/media-store.js';
import { workspaceExportsFolder } from './exports/export-jobs.service.js';
import { ListeningSearches } from './searches/listening-searches.js';
import { ReportedSearches } from './searches/reported-searches.js';
import { SavedSearch } from './searches/saved-search.entity.js';
import { SavedSearchesRepository } from './searches/saved-searches.repository.js';

const PROVIDERS = [
  SavedSearchesRepository,
  Pseudonyms,
  ExportJobsRepository,
  ExportMetrics,
  ExportQuota,
  RecurringExportsRepository,
];

/** Saved searches, and exports with their quota and metrics, for the processes that create and those that write them. */
@Module({
  imports: [
    CommentsModule,
    ContentModule,
    PostsModule,
    TypeOrmModule.forFeature([ExportJob, ExportPart, RecurringExport, SavedSearch]),
  ],
  providers: [...PROVIDERS, ErasedExports, ListeningSearches, ReportedSearches],
  exports: PROVIDERS,
})
export class ExportJobsModule {
  constructor(
    stores: WorkspaceStores,
    overview: Overview,
    traces: Traces,
    quotas: QuotasService,
    exports: ExportJobsRepository,
    searches: SavedSearchesRepository,
    recurring: RecurringExportsRepository,
    files: MediaStore,
  ) {
    traces.register({
      erase: async (workspaceId, subject) => {
        if (subject?.kind === 'author') await searches.eraseAuthor(workspaceId, subject.author);
      },
    });
    quotas.register('recurring_exports', (workspaceId, tx) => recurring.count(workspaceId, tx));
    overview.registerQueue('exports', exports.backlog.bind(exports));
    stores.register({ empty: (workspaceId) => files.removeFolder(workspaceExportsFolder(workspaceId)) });
  }
}
