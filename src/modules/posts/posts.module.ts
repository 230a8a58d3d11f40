import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { QuotasService } from '../usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PostRecord } from './post.entity.js';
import { PostsController } from './posts.controller.js';
import { PostsRepository } from './posts.repository.js';
import { PostsService } from './posts.service.js';
import { ExpiredPostsRepository } from './expired-posts.repository.js';

@Module({
  imports: [QuotasModule, SearchModule, TypeOrmModule.forFeature([PostRecord])],
  controllers: [PostsController],
  providers: [PostsService, PostsRepository, ExpiredPostsRepository],
  exports: [PostsRepository, PostsService, ExpiredPostsRepository],
})
export class PostsModule {
  constructor(quotas: QuotasService, postsRepository: PostsRepository) {
    quotas.register('posts', (workspaceId) => postsRepository.countAll(workspaceId));
  }
}
