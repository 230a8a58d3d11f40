import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { ExportJob, ExportPart } from './export-job.entity.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportMetrics } from './export-metrics.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { WorkspaceKeysModule } from '../../tenants/workspace-keys/workspace-keys.module.js';
import { Pseudonyms } from './pseudonyms.js';
import { ExportQuota } from './export-quota.js';

const PROVIDERS = [Pseudonyms, ExportJobsRepository, ExportMetrics, ExportQuota];

/** Exports with their quota and metrics, for the processes that create and those that write them. */
@Module({
  imports: [
    CommentsModule,
    PostsModule,
    QuotasModule,
    WorkspaceKeysModule,
    TypeOrmModule.forFeature([ExportJob, ExportPart]),
  ],
  providers: PROVIDERS,
  exports: [...PROVIDERS, QuotasModule],
})
export class ExportJobsModule {}
