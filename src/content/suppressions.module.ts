import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkspaceKeysModule } from '../tenants/workspace-keys.module.js';
import { Suppression } from './suppressions/suppression.entity.js';
import { Suppressions } from './suppressions/suppressions.service.js';
import { SuppressionsRepository } from './suppressions/suppressions.repository.js';

/** Subjects that are not stored again, for everything that stores posts and comments. */
@Module({
  imports: [TypeOrmModule.forFeature([Suppression]), WorkspaceKeysModule],
  providers: [Suppressions, SuppressionsRepository],
  exports: [Suppressions],
})
export class SuppressionsModule {}
