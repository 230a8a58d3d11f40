import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { Traces } from '../tenants/ports/traces.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostCountsRepository } from './posts/post-counts.repository.js';
import { PostRecord } from './posts/post.entity.js';
import { PostsController } from './posts/posts.controller.js';
import { PostsRepository } from './posts/posts.repository.js';
import { PostTextsRepository } from './posts/post-texts.repository.js';
import { PostsService } from './posts/posts.service.js';
import { ErasedPostsRepository } from './posts/erased-posts.repository.js';
import { ContentRecordsModule } from './content-records.module.js';
import { ExpiredPostsRepository } from './posts/expired-posts.repository.js';
import { UnanalyzedPostsRepository } from './posts/unanalyzed-posts.repository.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';

@Module({
  imports: [ContentRecordsModule, SearchModule, TypeOrmModule.forFeature([PostRecord])],
  controllers: [PostsController],
  providers: [
    PostsService,
    PostsRepository,
    PostCountsRepository,
    PostTextsRepository,
    ErasedPostsRepository,
    ExpiredPostsRepository,
    UnanalyzedPostsRepository,
  ],
  exports: [
    PostsRepository,
    PostTextsRepository,
    PostsService,
    ErasedPostsRepository,
    ExpiredPostsRepository,
    UnanalyzedPostsRepository,
  ],
})
export class PostsModule {
  constructor(
    quotas: QuotasService,
    stores: WorkspaceStores,
    traces: Traces,
    counts: PostCountsRepository,
    erased: ErasedPostsRepository,
  ) {
    stores.register({ kept: ['post_count_deltas'] });
    traces.register({ erase: (workspaceId) => erased.forgetEmptyForums(workspaceId) });
    quotas.register('posts', (workspaceId) => counts.countAll(workspaceId));
  }
}
