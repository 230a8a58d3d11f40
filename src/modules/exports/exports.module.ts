import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CommentsModule } from '../comments/comments.module.js';
import { MediaModule } from '../media/media.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { ExportCursor } from './export-cursor.js';
import { ExportDownload } from './export-download.js';
import { ExportJob, ExportPart } from './export-job.entity.js';
import { ExportJobsController } from './export-jobs.controller.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportJobsService } from './export-jobs.service.js';
import { ExportMetricsModule } from './export-metrics.module.js';
import { ExportQuota } from './export-quota.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';

@Module({
  imports: [
    QuotasModule,
    PostsModule,
    CommentsModule,
    MediaModule,
    ExportMetricsModule,
    TypeOrmModule.forFeature([ExportJob, ExportPart]),
  ],
  // Order matters: otherwise `/exports/posts` would match the route of an export with the id `posts`.
  controllers: [ExportsController, ExportJobsController],
  providers: [
    ExportsService,
    ExportDownload,
    ExportJobsService,
    ExportJobsRepository,
    ExportQuota,
    ExportCursor,
  ],
  exports: [ExportJobsRepository],
})
export class ExportsModule {}
