import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JobsModule } from '../jobs/jobs.module.js';
import { DatabaseClock, PostgresClock } from '../../database/database-clock.js';
import { Occurrence } from './occurrence.entity.js';
import { Schedule } from './schedule.entity.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Schedule, Occurrence]), JobsModule],
  controllers: [SchedulesController],
  providers: [SchedulesService, SchedulesRepository, { provide: DatabaseClock, useClass: PostgresClock }],
})
export class SchedulesModule {}
