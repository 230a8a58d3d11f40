import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaFile } from './media/media-file.entity.js';
import { MediaQuota } from './media/media-quota.js';
import { MediaRepository } from './media/media.repository.js';
import { CorrectedLabelsRepository } from './sentiment/corrected-labels.repository.js';
import { Suppression } from './suppressions/suppression.entity.js';
import { SuppressionsRepository } from './suppressions/suppressions.repository.js';
import { Suppressions } from './suppressions/suppressions.service.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';

/** Suppressed subjects, corrected labels and records of files, for everything that stores posts and comments; needs only Postgres. */
@Module({
  imports: [TypeOrmModule.forFeature([Suppression, MediaFile])],
  providers: [CorrectedLabelsRepository, Suppressions, SuppressionsRepository, MediaRepository, MediaQuota],
  exports: [CorrectedLabelsRepository, Suppressions, MediaRepository, MediaQuota],
})
export class ContentRecordsModule {
  constructor(stores: WorkspaceStores) {
    stores.register({ kept: ['suppressions', 'suppressed_hashes'] });
  }
}
