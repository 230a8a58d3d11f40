import { Module } from '@nestjs/common';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { JobsModule } from './jobs.module.js';
import { FeedSchedulesController } from './schedules/feed-schedules.controller.js';
import { SchedulesController } from './schedules/schedules.controller.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';
import { SchedulesService } from './schedules/schedules.service.js';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Overview } from '../tenants/ports/overview.js';
import { DueSchedulesRepository } from './schedules/due-schedules.repository.js';
import { ScheduleRunsService } from './schedules/schedule-runs.service.js';

@Module({
  imports: [JobsModule],
  controllers: [FeedSchedulesController, SchedulesController],
  providers: [SchedulesService, ScheduleRunsService],
})
export class SchedulesModule {
  constructor(
    quotas: QuotasService,
    overview: Overview,
    schedulesRepository: SchedulesRepository,
    due: DueSchedulesRepository,
    @InjectDataSource() { manager }: DataSource,
  ) {
    overview.registerQueue('schedules', (exceptWorkspaces) => due.backlog(exceptWorkspaces, manager));
    quotas.register('schedules', (workspaceId, tx) => schedulesRepository.count(workspaceId, tx));
  }
}
