import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module.js';
import { ContentModule } from '../content/content.module.js';
import { DatasetBuilder } from './datasets/dataset-builder.js';
import { DatasetLeasesRepository } from './datasets/dataset-leases.repository.js';
import { DatasetWorker } from './datasets/dataset-worker.js';
import { DatasetsRepositoryModule } from './datasets-repository.module.js';
import { ExportCopy } from './exports/export-copy.js';
import { ExportExecutor } from './exports/export-executor.js';
import { ExportJobsModule } from './export-jobs.module.js';
import { ExportLeasesRepository } from './exports/export-leases.repository.js';
import { ExportPruner } from './exports/export-pruner.js';
import { ExportUpload } from './exports/destination/export-upload.js';
import { ExportWorker } from './exports/export-worker.js';

/** The worker role: writes exports and datasets into the media store. */
@Module({
  imports: [ContentModule, DatasetsRepositoryModule, ExportJobsModule, MessagesModule],
  providers: [
    ExportWorker,
    ExportPruner,
    ExportExecutor,
    ExportUpload,
    ExportCopy,
    ExportLeasesRepository,
    DatasetWorker,
    DatasetBuilder,
    DatasetLeasesRepository,
  ],
})
export class TakeoutWorkerModule {}
