import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExportJob, ExportPart } from './exports/export-job.entity.js';
import { ExportJobsRepository } from './exports/export-jobs.repository.js';
import { ExportMetrics } from './exports/export-metrics.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { Pseudonyms } from './exports/pseudonyms.js';
import { ExportQuota } from './exports/export-quota.js';

const PROVIDERS = [Pseudonyms, ExportJobsRepository, ExportMetrics, ExportQuota];

/** Exports with their quota and metrics, for the processes that create and those that write them. */
@Module({
  imports: [CommentsModule, PostsModule, TypeOrmModule.forFeature([ExportJob, ExportPart])],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class ExportJobsModule {}
