import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertMatchingModule } from '../alerts/alert-matching.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { DumpImport } from './imports/dump-import.entity.js';
import { DumpImportService } from './imports/dump-import.service.js';
import { DumpImportsRepository } from './imports/dump-imports.repository.js';
import { StoredAnalysis } from './imports/stored-analysis.service.js';

/** Imports dumps of posts and comments, and analyses imported rows. */
@Module({
  imports: [TypeOrmModule.forFeature([DumpImport]), AlertMatchingModule, PostsModule, CommentsModule],
  providers: [DumpImportService, DumpImportsRepository, StoredAnalysis],
  exports: [DumpImportService, StoredAnalysis],
})
export class ImportsModule {}
