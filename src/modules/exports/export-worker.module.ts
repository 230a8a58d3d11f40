import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DatabasePools } from '../../database/database-pools.js';
import { EventsModule } from '../events/events.module.js';
import { MediaModule } from '../media/media.module.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { ExportExecutor } from './export-executor.js';
import { ExportJob, ExportPart } from './export-job.entity.js';
import { ExportJobsRepository } from './export-jobs.repository.js';
import { ExportLeasesRepository } from './export-leases.repository.js';
import { ExportMetricsModule } from './export-metrics.module.js';
import { ExportPruner } from './export-pruner.js';
import { ExportQuota } from './export-quota.js';
import { ExportSource } from './export-source.js';
import { EXPORT_SLOTS, ExportWorker } from './export-worker.js';

const BATCH_ROWS = 500;
/** The first rows of a part may need a sort of all rows of the workspace. */
const STATEMENT_TIMEOUT_MS = 600_000;

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
    ExportJobsRepository,
    ExportQuota,
    ExportLeasesRepository,
    {
      provide: ExportSource,
      inject: [DatabasePools],
      useFactory: (pools: DatabasePools) =>
        new ExportSource(pools, {
          name: 'export-jobs',
          connections: EXPORT_SLOTS,
          batchRows: BATCH_ROWS,
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        }),
    },
  ],
})
export class ExportWorkerModule {}
