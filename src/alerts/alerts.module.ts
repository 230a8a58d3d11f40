import { Module } from '@nestjs/common';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { ContentModule } from '../content/content.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { AlertMatchesRepository } from './matching/alert-matches.repository.js';
import { AlertMatchingModule } from './alert-matching.module.js';
import { AlertsController } from './service/alerts.controller.js';
import { AlertsRepository } from './alert/alerts.repository.js';
import { AlertsService } from './service/alerts.service.js';
import { MatchesController } from './triage/matches.controller.js';
import { MatchesRepository } from './triage/matches.repository.js';
import { MatchesService } from './triage/matches.service.js';
import { SpikeAlertsRepository } from './spikes/spike-alerts.repository.js';
import { StoriesRepository } from './stories/stories.repository.js';
import { ChannelConfigs } from './alert/channel-configs.js';

/** How long matches are kept unless their state is `kept`. A stored post is never matched again, so a deleted match does not come back. */
const MATCHES_KEPT_DAYS = 90;
const PRUNED_AT_ONCE = 1_000;

@Module({
  imports: [AlertMatchingModule, CommentsModule, ContentModule, PostsModule],
  controllers: [AlertsController, MatchesController],
  providers: [AlertsService, MatchesService, MatchesRepository, SpikeAlertsRepository, ChannelConfigs],
  exports: [AlertMatchingModule, SpikeAlertsRepository, AlertsService, ChannelConfigs],
})
export class AlertsModule {
  constructor(
    quotas: QuotasService,
    pruner: Pruner,
    alertsRepository: AlertsRepository,
    matches: AlertMatchesRepository,
    stories: StoriesRepository,
    sealed: SealedColumns,
    configs: ChannelConfigs,
  ) {
    sealed.register(alertsRepository, configs);
    pruner.add(
      'alert matches',
      async () => (await matches.deleteOlderThan(MATCHES_KEPT_DAYS, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE,
    );
    pruner.add(
      'keys of stories',
      async () => (await stories.deleteExpired(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE,
    );
    quotas.register('alerts', (workspaceId, tx) => alertsRepository.count(workspaceId, tx));
    quotas.register('alert_keywords', (workspaceId, tx) => alertsRepository.countKeywords(workspaceId, tx));
  }
}
