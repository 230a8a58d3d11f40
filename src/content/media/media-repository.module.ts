import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { MediaFile } from './media-file.entity.js';
import { MediaQuota } from './media-quota.js';
import { MediaRepository } from './media.repository.js';

/** Records of media files and their quota; needs no media store. */
@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([MediaFile])],
  providers: [MediaRepository, MediaQuota],
  exports: [MediaRepository, MediaQuota],
})
export class MediaRepositoryModule {}
