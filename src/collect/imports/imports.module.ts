import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertMatchingModule } from '../../alerts/alert-matching.module.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { DumpImport } from './dump-import.entity.js';
import { DumpImportService } from './dump-import.service.js';
import { DumpImportsRepository } from './dump-imports.repository.js';
import { StoredAnalysis } from './stored-analysis.service.js';

/** Imports dumps of posts and comments, and analyses what imports stored. */
@Module({
  imports: [TypeOrmModule.forFeature([DumpImport]), AlertMatchingModule, PostsModule, CommentsModule],
  providers: [DumpImportService, DumpImportsRepository, StoredAnalysis],
  exports: [DumpImportService, StoredAnalysis],
})
export class ImportsModule {}
