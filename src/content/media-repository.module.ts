import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasModule } from '../tenants/quotas.module.js';
import { MediaFile } from './media/media-file.entity.js';
import { MediaQuota } from './media/media-quota.js';
import { MediaRepository } from './media/media.repository.js';

/** Records of media files and their quota; needs no media store. */
@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([MediaFile])],
  providers: [MediaRepository, MediaQuota],
  exports: [MediaRepository, MediaQuota],
})
export class MediaRepositoryModule {}
