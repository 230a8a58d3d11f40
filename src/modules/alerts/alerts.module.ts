import { Module } from '@nestjs/common';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { QuotasModule } from '../usage/quotas.module.js';
import { QuotasService } from '../usage/quotas.service.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { AlertMatchesRepository } from './alert-matches.repository.js';
import { AlertMatchingService } from './alert-matching.service.js';
import { Alert } from './alert.entity.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsRepository } from './alerts.repository.js';
import { AlertsService } from './alerts.service.js';
import { DigestsRepository } from './digests/digests.repository.js';
import { MatchesController } from './triage/matches.controller.js';
import { MatchesRepository } from './triage/matches.repository.js';
import { MatchesService } from './triage/matches.service.js';
import { ChannelConfigs } from './channel-configs.js';

/** How long matches are kept unless their state is `kept`. A stored post is never matched again, so a deleted match does not come back. */
const MATCHES_KEPT_DAYS = 90;
const PRUNED_AT_ONCE = 1_000;

@Module({
  imports: [QuotasModule, TypeOrmModule.forFeature([Alert]), EventsModule, PostsModule, CommentsModule],
  controllers: [AlertsController, MatchesController],
  providers: [
    AlertsService,
    AlertsRepository,
    MatchesService,
    MatchesRepository,
    DigestsRepository,
    AlertMatchesRepository,
    AlertMatchingService,
    ChannelConfigs,
  ],
  exports: [
    AlertMatchesRepository,
    DigestsRepository,
    AlertsService,
    AlertsRepository,
    AlertMatchingService,
    ChannelConfigs,
  ],
})
export class AlertsModule {
  constructor(
    quotas: QuotasService,
    pruner: Pruner,
    alertsRepository: AlertsRepository,
    matches: AlertMatchesRepository,
  ) {
    pruner.add(
      'alert matches',
      async () => (await matches.deleteOlderThan(MATCHES_KEPT_DAYS, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE,
    );
    quotas.register('alerts', (workspaceId, tx) => alertsRepository.count(workspaceId, tx));
    quotas.register('alert_keywords', (workspaceId, tx) => alertsRepository.countKeywords(workspaceId, tx));
  }
}
