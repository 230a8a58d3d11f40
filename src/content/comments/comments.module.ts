import { Module } from '@nestjs/common';
import { SearchModule } from '../../search/search.module.js';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentRecord } from './comment.entity.js';
import { CommentsController } from './comments.controller.js';
import { CommentsRepository } from './comments.repository.js';
import { CommentsService } from './comments.service.js';
import { ExpiredCommentsRepository } from './expired-comments.repository.js';
import { UnanalyzedCommentsRepository } from './unanalyzed-comments.repository.js';

import { ErasedCommentsRepository } from './erased-comments.repository.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';

@Module({
  imports: [QuotasModule, SearchModule, SuppressionsModule, TypeOrmModule.forFeature([CommentRecord])],
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
  constructor(quotas: QuotasService, commentsRepository: CommentsRepository) {
    quotas.register('comments', (workspaceId) => commentsRepository.countAll(workspaceId));
  }
}
