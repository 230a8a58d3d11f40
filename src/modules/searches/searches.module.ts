import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SavedSearch } from './saved-search.entity.js';
import { SavedSearchesRepository } from './saved-searches.repository.js';
import { SearchesController } from './searches.controller.js';
import { SearchesService } from './searches.service.js';

/** Saved searches. */
@Module({
  imports: [TypeOrmModule.forFeature([SavedSearch])],
  controllers: [SearchesController],
  providers: [SearchesService, SavedSearchesRepository],
})
export class SearchesModule {}
