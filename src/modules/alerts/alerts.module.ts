import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { AlertMatchesRepository } from './alert-matches.repository.js';
import { AlertMatchingService } from './alert-matching.service.js';
import { Alert } from './alert.entity.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';
import { ChannelConfigs } from './channel-configs.js';

@Module({
  imports: [TypeOrmModule.forFeature([Alert]), EventsModule],
  controllers: [AlertsController],
  providers: [AlertsService, AlertsRepository, AlertMatchesRepository, AlertMatchingService, ChannelConfigs],
  exports: [AlertsService, AlertsRepository, AlertMatchingService, ChannelConfigs],
})
export class AlertsModule {}
