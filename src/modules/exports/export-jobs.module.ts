import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { QuotasModule } from '../usage/quotas.module.js';
import { ExportJob, ExportPart } from './export-job.entity.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportMetrics } from './export-metrics.js';
import { ExportQuota } from './export-quota.js';

const PROVIDERS = [ExportJobsRepository, ExportMetrics, ExportQuota];

/** Exports with their quota and metrics, for the processes that create and those that write them. */
@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([ExportJob, ExportPart])],
  providers: PROVIDERS,
  exports: [...PROVIDERS, QuotasModule],
})
export class ExportJobsModule {}
