import { Module } from '@nestjs/common';
import { QuotasModule } from '../usage/quotas.module.js';
import { QuotasService } from '../usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../jobs/jobs.module.js';
import { DatabaseClock, PostgresClock } from '../../database/database-clock.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { Occurrence } from './occurrence.entity.js';
import { Schedule } from './schedule.entity.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([Schedule, Occurrence]), JobsModule],
  controllers: [SchedulesController],
  providers: [
    SchedulesService,
    SchedulesRepository,
    DueSchedulesRepository,
    { provide: DatabaseClock, useClass: PostgresClock },
  ],
  exports: [DueSchedulesRepository],
})
export class SchedulesModule {
  constructor(quotas: QuotasService, schedulesRepository: SchedulesRepository) {
    quotas.register('schedules', (workspaceId, tx) => schedulesRepository.count(workspaceId, tx));
  }
}
