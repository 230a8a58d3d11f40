import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { SuppressionsModule } from '../content/suppressions.module.js';
import { SuppressionsController } from '../content/suppressions/suppressions.controller.js';
import { WorkspaceKeysModule } from '../tenants/workspace-keys.module.js';
import { Erasure } from './erasures/erasure.entity.js';
import { ErasedHash } from './erasures/erased-hash.entity.js';
import { ErasuresController } from './erasures/erasures.controller.js';
import { ErasuresRepository } from './erasures/erasures.repository.js';
import { ErasuresService } from './erasures/erasures.service.js';

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
