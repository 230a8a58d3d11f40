import { Module } from '@nestjs/common';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { JobsModule } from './jobs.module.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';
import { SchedulesService } from './schedules/schedules.service.js';

@Module({
  imports: [JobsModule],
  controllers: [SchedulesController],
  providers: [SchedulesService],
})
export class SchedulesModule {
  constructor(quotas: QuotasService, schedulesRepository: SchedulesRepository) {
    quotas.register('schedules', (workspaceId, tx) => schedulesRepository.count(workspaceId, tx));
  }
}
