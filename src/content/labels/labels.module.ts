import { Module } from '@nestjs/common';
import { SearchModule } from '../../search/search.module.js';
import { WorkspacesRepositoryModule } from '../../tenants/workspaces/workspaces-repository.module.js';
import { LabelStatisticsRepository } from './label-statistics.repository.js';
import { LabelsController } from './labels.controller.js';
import { LabelsRepositoryModule } from './labels-repository.module.js';
import { LabelsService } from './labels.service.js';

/** Labels over HTTP. */
@Module({
  imports: [LabelsRepositoryModule, SearchModule, WorkspacesRepositoryModule],
  controllers: [LabelsController],
  providers: [LabelsService, LabelStatisticsRepository],
})
export class LabelsModule {}
