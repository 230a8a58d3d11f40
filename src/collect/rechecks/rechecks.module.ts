import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlatformModule } from '../../platforms/platform.module.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { RemovalModule } from '../removal/removal.module.js';
import { ScrapingModule } from '../scraping/scraping.module.js';
import { ContentRecheck } from './content-recheck.entity.js';
import { ContentRechecker } from './content-rechecker.js';
import { ContentRechecksRepository } from './content-rechecks.repository.js';
import { StreamsRepositoryModule } from '../streams/streams-repository.module.js';
import { DeletionWorker } from './deletion-worker.js';
import { RecheckMetrics } from './recheck-metrics.js';
import { RecheckWorker } from './recheck-worker.js';
import { WorkspacesRepositoryModule } from '../../tenants/workspaces/workspaces-repository.module.js';

/** Rechecks stored content and overwrites what the platforms no longer show. */
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
