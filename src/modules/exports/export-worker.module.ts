import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { MediaModule } from '../media/media.module.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { ExportCopy } from './export-copy.js';
import { ExportExecutor } from './export-executor.js';
import { ExportJob, ExportPart } from './export-job.entity.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportLeasesRepository } from './export-leases.repository.js';
import { ExportMetricsModule } from './export-metrics.module.js';
import { ExportPruner } from './export-pruner.js';
import { ExportQuota } from './export-quota.js';
import { ExportWorker } from './export-worker.js';

/** Writes exports into the media store. */
@Module({
  imports: [
    EventsModule,
    MediaModule,
    QuotasModule,
    ExportMetricsModule,
    TypeOrmModule.forFeature([ExportJob, ExportPart]),
  ],
  providers: [
    ExportWorker,
    ExportPruner,
    ExportExecutor,
    ExportCopy,
    ExportJobsRepository,
    ExportQuota,
    ExportLeasesRepository,
  ],
})
export class ExportWorkerModule {}
