import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DueSchedulesRepository } from './schedules/due-schedules.repository.js';
import { Schedule } from './schedules/schedule.entity.js';
import { SchedulesRepository } from './schedules/schedules.repository.js';

const REPOSITORIES = [SchedulesRepository, DueSchedulesRepository];

/** Schedules, for the API and for the processes that claim due ones. */
@Module({
  imports: [TypeOrmModule.forFeature([Schedule])],
  providers: REPOSITORIES,
  exports: REPOSITORIES,
})
export class SchedulesRepositoryModule {}
