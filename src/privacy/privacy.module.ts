import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentsModule } from '../content/comments.module.js';
import { ContentRecordsModule } from '../content/content-records.module.js';
import { PostsModule } from '../content/posts.module.js';
import { SuppressionsController } from '../content/suppressions/suppressions.controller.js';
import { ErasedHash } from './erasures/erased-hash.entity.js';
import { Erasure } from './erasures/erasure.entity.js';
import { ErasuresController } from './erasures/erasures.controller.js';
import { ErasuresRepository } from './erasures/erasures.repository.js';
import { ErasuresService } from './erasures/erasures.service.js';
import { TenantRowsRepository } from './workspaces/tenant-rows.repository.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';
import { WorkspaceReset } from './workspaces/workspace-reset.js';

const EXPORTED = [ErasuresService, ErasuresRepository, TenantRowsRepository, WorkspaceReset];

/** Erasures and suppressions, and the rows of a workspace in all tables. Needs only Postgres, so that commands use it too. */
@Module({
  imports: [
    CommentsModule,
    ContentRecordsModule,
    PostsModule,
    TypeOrmModule.forFeature([Erasure, ErasedHash]),
  ],
  controllers: [ErasuresController, SuppressionsController],
  providers: EXPORTED,
  exports: EXPORTED,
})
export class PrivacyModule {
  constructor(stores: WorkspaceStores) {
    stores.register({ kept: ['erasures'] });
  }
}
