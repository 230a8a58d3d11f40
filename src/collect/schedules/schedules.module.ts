import { Module } from '@nestjs/common';
import { QuotasModule } from '../../tenants/usage/quotas.module.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';
import { SchedulesRepositoryModule } from './schedules-repository.module.js';

@Module({
  imports: [QuotasModule, SchedulesRepositoryModule, JobsModule],
  controllers: [SchedulesController],
  providers: [SchedulesService],
  exports: [SchedulesRepositoryModule],
})
export class SchedulesModule {
  constructor(quotas: QuotasService, schedulesRepository: SchedulesRepository) {
    quotas.register('schedules', (workspaceId, tx) => schedulesRepository.count(workspaceId, tx));
  }
}
