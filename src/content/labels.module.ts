import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { WorkspacesRepositoryModule } from '../tenants/workspaces-repository.module.js';
import { LabelStatisticsRepository } from './labels/label-statistics.repository.js';
import { LabelsController } from './labels/labels.controller.js';
import { LabelsRepositoryModule } from './labels-repository.module.js';
import { LabelsService } from './labels/labels.service.js';

/** Labels over HTTP. */
@Module({
  imports: [LabelsRepositoryModule, SearchModule, WorkspacesRepositoryModule],
  controllers: [LabelsController],
  providers: [LabelsService, LabelStatisticsRepository],
})
export class LabelsModule {}
