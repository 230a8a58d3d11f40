import { Module } from '@nestjs/common';
import { ExportWorkerModule } from '../exports/export-worker.module.js';
import { LabelsRepositoryModule } from '../../content/labels/labels-repository.module.js';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { DatasetBuilder } from './dataset-builder.js';
import { DatasetLeasesRepository } from './dataset-leases.repository.js';
import { DatasetWorker } from './dataset-worker.js';
import { DatasetsRepositoryModule } from './datasets-repository.module.js';

/** Writes datasets into the media store. */
@Module({
  imports: [DatasetsRepositoryModule, ExportWorkerModule, LabelsRepositoryModule, QuotasModule],
  providers: [DatasetWorker, DatasetBuilder, DatasetLeasesRepository],
})
export class DatasetWorkerModule {}
