import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlatformModule } from '../platforms/platform.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { RemovalModule } from './removal.module.js';
import { ScrapingModule } from './scraping.module.js';
import { ContentRecheck } from './rechecks/content-recheck.entity.js';
import { ContentRechecker } from './rechecks/content-rechecker.js';
import { ContentRechecksRepository } from './rechecks/content-rechecks.repository.js';
import { StreamsRepositoryModule } from './streams-repository.module.js';
import { DeletionWorker } from './rechecks/deletion-worker.js';
import { RecheckMetrics } from './rechecks/recheck-metrics.js';
import { RecheckWorker } from './rechecks/recheck-worker.js';
import { WorkspacesRepositoryModule } from '../tenants/workspaces-repository.module.js';

/** Rechecks stored content, and overwrites content that the platforms no longer show. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ContentRecheck]),
    PlatformModule,
    PostsModule,
    CommentsModule,
    RemovalModule,
    ScrapingModule,
    StreamsRepositoryModule,
    WorkspacesRepositoryModule,
  ],
  providers: [RecheckWorker, ContentRechecker, ContentRechecksRepository, RecheckMetrics, DeletionWorker],
})
export class RechecksModule {}
