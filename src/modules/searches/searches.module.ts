import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SavedSearch } from './saved-search.entity.js';
import { SavedSearchesRepository } from './saved-searches.repository.js';
import { SearchesController } from './searches.controller.js';
import { SearchModule } from '../search/search.module.js';
import { FeedItems } from './feeds/feed-items.js';
import { FeedsController } from './feeds/feeds.controller.js';
import { FeedsService } from './feeds/feeds.service.js';
import { SearchesService } from './searches.service.js';

/** Saved searches and their feeds. */
@Module({
  imports: [SearchModule, TypeOrmModule.forFeature([SavedSearch])],
  controllers: [SearchesController, FeedsController],
  providers: [SearchesService, SavedSearchesRepository, FeedsService, FeedItems],
})
export class SearchesModule {}
