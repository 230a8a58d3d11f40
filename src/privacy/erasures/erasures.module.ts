import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { SuppressionsModule } from '../../content/suppressions/suppressions.module.js';
import { SuppressionsController } from '../../content/suppressions/suppressions.controller.js';
import { WorkspaceKeysModule } from '../../tenants/workspace-keys/workspace-keys.module.js';
import { Erasure } from './erasure.entity.js';
import { ErasedHash } from './erased-hash.entity.js';
import { ErasuresController } from './erasures.controller.js';
import { ErasuresRepository } from './erasures.repository.js';
import { ErasuresService } from './erasures.service.js';

/** Erasures and suppressions over HTTP. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Erasure, ErasedHash]),
    CommentsModule,
    PostsModule,
    SuppressionsModule,
    WorkspaceKeysModule,
  ],
  controllers: [ErasuresController, SuppressionsController],
  providers: [ErasuresService, ErasuresRepository],
  exports: [ErasuresService, ErasuresRepository],
})
export class ErasuresModule {}
