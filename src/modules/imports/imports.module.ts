import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentsModule } from '../comments/comments.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { DumpImport } from './dump-import.entity.js';
import { DumpImportService } from './dump-import.service.js';
import { DumpImportsRepository } from './dump-imports.repository.js';

/** Imports dumps of posts and comments. */
@Module({
  imports: [TypeOrmModule.forFeature([DumpImport]), PostsModule, CommentsModule],
  providers: [DumpImportService, DumpImportsRepository],
  exports: [DumpImportService],
})
export class ImportsModule {}
