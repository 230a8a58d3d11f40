import { Module } from '@nestjs/common';
import { SearchModule } from '../../search/search.module.js';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostCountsRepository } from './post-counts.repository.js';
import { PostRecord } from './post.entity.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';
import { ErasedPostsRepository } from './erased-posts.repository.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { ExpiredPostsRepository } from './expired-posts.repository.js';
import { UnanalyzedPostsRepository } from './unanalyzed-posts.repository.js';

@Module({
  imports: [QuotasModule, SearchModule, SuppressionsModule, TypeOrmModule.forFeature([PostRecord])],
  controllers: [PostsController],
  providers: [
    PostsService,
    PostsRepository,
    PostCountsRepository,
    ErasedPostsRepository,
    ExpiredPostsRepository,
    UnanalyzedPostsRepository,
  ],
  exports: [
    PostsRepository,
    PostsService,
    ErasedPostsRepository,
    ExpiredPostsRepository,
    UnanalyzedPostsRepository,
  ],
})
export class PostsModule {
  constructor(quotas: QuotasService, counts: PostCountsRepository) {
    quotas.register('posts', (workspaceId) => counts.countAll(workspaceId));
  }
}
