import { Module } from '@nestjs/common';
import { QuotasModule } from '../usage/quotas.module.js';
import { ErasedTextsRepository } from './erased-texts.repository.js';
import { SearchDatabase } from './search-database.js';
import { SearchWarmUp } from './search-warm-up.js';
import { SearchService } from './search.service.js';
import { BlockCache } from './segments/read/block-cache.js';

/** Searches posts and comments. */
@Module({
  imports: [QuotasModule],
  providers: [
    SearchService,
    SearchDatabase,
    SearchWarmUp,
    ErasedTextsRepository,
    { provide: BlockCache, useFactory: () => new BlockCache() },
  ],
  exports: [SearchService, ErasedTextsRepository],
})
export class SearchModule {}
