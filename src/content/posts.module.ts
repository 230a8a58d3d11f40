import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostCountsRepository } from './posts/post-counts.repository.js';
import { PostRecord } from './posts/post.entity.js';
import { PostsController } from './posts/posts.controller.js';
import { PostsRepository } from './posts/posts.repository.js';
import { PostsService } from './posts/posts.service.js';
import { ErasedPostsRepository } from './posts/erased-posts.repository.js';
import { ContentRecordsModule } from './content-records.module.js';
import { ExpiredPostsRepository } from './posts/expired-posts.repository.js';
import { UnanalyzedPostsRepository } from './posts/unanalyzed-posts.repository.js';

@Module({
  imports: [ContentRecordsModule, SearchModule, TypeOrmModule.forFeature([PostRecord])],
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
