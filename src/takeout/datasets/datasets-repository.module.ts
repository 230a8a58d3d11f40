import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../../content/media/media.module.js';
import { Dataset, DatasetPart } from './dataset.entity.js';
import { DatasetsRepository } from './datasets.repository.js';
import { ErasedDatasets } from './erased-datasets.js';

/** Datasets for the processes that create, write or erase them. */
@Module({
  imports: [MediaModule, TypeOrmModule.forFeature([Dataset, DatasetPart])],
  providers: [DatasetsRepository, ErasedDatasets],
  exports: [DatasetsRepository, ErasedDatasets, MediaModule],
})
export class DatasetsRepositoryModule {}
