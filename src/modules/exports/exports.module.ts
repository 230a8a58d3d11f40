import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { DatabasePools } from '../../database/database-pools.js';
import { CommentsModule } from '../comments/comments.module.js';
import { MediaModule } from '../media/media.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { ExportDownload } from './export-download.js';
import { ExportJob, ExportPart } from './export-job.entity.js';
import { ExportJobsController } from './export-jobs.controller.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportJobsService } from './export-jobs.service.js';
import { ExportMetricsModule } from './export-metrics.module.js';
import { ExportQuota } from './export-quota.js';
import { ExportSource } from './export-source.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';

/** Rows that a download reads at once. */
const BATCH_ROWS = 50;

@Module({
  imports: [
    QuotasModule,
    PostsModule,
    CommentsModule,
    MediaModule,
    ExportMetricsModule,
    TypeOrmModule.forFeature([ExportJob, ExportPart]),
  ],
  // In this order: `/exports/posts` is not the export with the id `posts`.
  controllers: [ExportsController, ExportJobsController],
  providers: [
    ExportsService,
    ExportDownload,
    ExportJobsService,
    ExportJobsRepository,
    ExportQuota,
    {
      provide: ExportSource,
      inject: [DatabasePools, ENVIRONMENT],
      useFactory: (pools: DatabasePools, environment: Environment) =>
        new ExportSource(pools, {
          name: 'export',
          connections: environment.DATABASE_POOL_EXPORT,
          batchRows: BATCH_ROWS,
          statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
        }),
    },
  ],
  exports: [ExportJobsRepository],
})
export class ExportsModule {}
