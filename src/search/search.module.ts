import { Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { ErasedTextsRepository } from './erased-texts.repository.js';
import { SearchDatabase } from './search-database.js';
import { SearchWarmUp } from './search-warm-up.js';
import { SearchMetrics } from './search-metrics.js';
import { RecallMeter } from './recall/recall-meter.js';
import { SearchService } from './search.service.js';
import { BlockCache } from './segments/read/block-cache.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';

const MEGABYTE = 1_048_576;

/** Searches posts and comments. */
@Module({
  providers: [
    RecallMeter,
    SearchService,
    SearchDatabase,
    SearchWarmUp,
    SearchMetrics,
    ErasedTextsRepository,
    {
      provide: BlockCache,
      inject: [ENVIRONMENT],
      useFactory: ({ SEARCH_INDEX_MB }: Environment) =>
        new BlockCache(SEARCH_INDEX_MB === undefined ? undefined : SEARCH_INDEX_MB * MEGABYTE),
    },
  ],
  exports: [RecallMeter, SearchService, SearchDatabase, ErasedTextsRepository],
})
export class SearchModule {
  constructor(stores: WorkspaceStores) {
    stores.register({ kept: ['search_changes', 'search_segments', 'search_blocks'] });
  }
}
