import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ContentModule } from '../content/content.module.js';
import { Dataset, DatasetPart } from './datasets/dataset.entity.js';
import { DatasetsRepository } from './datasets/datasets.repository.js';
import { ErasedDatasets } from './datasets/erased-datasets.js';

/** Datasets for the processes that create, write or erase them. */
@Module({
  imports: [ContentModule, TypeOrmModule.forFeature([Dataset, DatasetPart])],
  providers: [DatasetsRepository, ErasedDatasets],
  exports: [DatasetsRepository, ErasedDatasets, ContentModule],
})
export class DatasetsRepositoryModule {}
