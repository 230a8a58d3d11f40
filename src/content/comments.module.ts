import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentRecord } from './comments/comment.entity.js';
import { CommentsController } from './comments/comments.controller.js';
import { CommentsRepository } from './comments/comments.repository.js';
import { CommentsService } from './comments/comments.service.js';
import { ExpiredCommentsRepository } from './comments/expired-comments.repository.js';
import { UnanalyzedCommentsRepository } from './comments/unanalyzed-comments.repository.js';

import { ErasedCommentsRepository } from './comments/erased-comments.repository.js';
import { PostsModule } from './posts.module.js';
import { ContentRecordsModule } from './content-records.module.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';

@Module({
  imports: [ContentRecordsModule, PostsModule, SearchModule, TypeOrmModule.forFeature([CommentRecord])],
  controllers: [CommentsController],
  providers: [
    CommentsService,
    CommentsRepository,
    ErasedCommentsRepository,
    ExpiredCommentsRepository,
    UnanalyzedCommentsRepository,
  ],
  exports: [
    CommentsService,
    CommentsRepository,
    ErasedCommentsRepository,
    ExpiredCommentsRepository,
    UnanalyzedCommentsRepository,
  ],
})
export class CommentsModule {
  constructor(quotas: QuotasService, stores: WorkspaceStores, commentsRepository: CommentsRepository) {
    stores.register({ kept: ['comment_count_deltas'] });
    quotas.register('comments', (workspaceId) => commentsRepository.countAll(workspaceId));
  }
}
