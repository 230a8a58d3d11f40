import { Module } from '@nestjs/common';
import { DatasetsController } from './datasets/datasets.controller.js';
import { DatasetsRepositoryModule } from './datasets-repository.module.js';
import { DatasetsService } from './datasets/datasets.service.js';

/** Datasets over HTTP. */
@Module({
  imports: [DatasetsRepositoryModule],
  controllers: [DatasetsController],
  providers: [DatasetsService],
})
export class DatasetsModule {}
