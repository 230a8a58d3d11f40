import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { Dataset, DatasetPart } from './datasets/dataset.entity.js';
import { DatasetsRepository } from './datasets/datasets.repository.js';
import { ErasedDatasets } from './datasets/erased-datasets.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';
import { MediaStore } from '../content/media/media-store.js';
import { workspaceDatasetsFolder } from './datasets/dataset-files.js';

/** Datasets for the processes that create, write or erase them. */
@Module({
  imports: [ContentModule, TypeOrmModule.forFeature([Dataset, DatasetPart])],
  providers: [DatasetsRepository, ErasedDatasets],
  exports: [DatasetsRepository, ErasedDatasets, ContentModule],
})
export class DatasetsRepositoryModule {
  constructor(stores: WorkspaceStores, files: MediaStore) {
    stores.register({ empty: (workspaceId) => files.removeFolder(workspaceDatasetsFolder(workspaceId)) });
  }
}
