import { Module } from '@nestjs/common';
import { ExportWorkerModule } from './export-worker.module.js';
import { ContentModule } from '../content/content.module.js';
import { DatasetBuilder } from './datasets/dataset-builder.js';
import { DatasetLeasesRepository } from './datasets/dataset-leases.repository.js';
import { DatasetWorker } from './datasets/dataset-worker.js';
import { DatasetsRepositoryModule } from './datasets-repository.module.js';

/** Writes datasets into the media store. */
@Module({
  imports: [ContentModule, DatasetsRepositoryModule, ExportWorkerModule],
  providers: [DatasetWorker, DatasetBuilder, DatasetLeasesRepository],
})
export class DatasetWorkerModule {}
