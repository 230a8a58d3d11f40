import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MediaModule } from '../content/media.module.js';
import { Dataset, DatasetPart } from './datasets/dataset.entity.js';
import { DatasetsRepository } from './datasets/datasets.repository.js';
import { ErasedDatasets } from './datasets/erased-datasets.js';

/** Datasets for the processes that create, write or erase them. */
@Module({
  imports: [MediaModule, TypeOrmModule.forFeature([Dataset, DatasetPart])],
  providers: [DatasetsRepository, ErasedDatasets],
  exports: [DatasetsRepository, ErasedDatasets, MediaModule],
})
export class DatasetsRepositoryModule {}
