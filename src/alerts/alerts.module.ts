import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { QuotasService } from '../tenants/usage/quotas.service.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { TransactionRunner } from '../database/transaction-runner.js';
import { Traces } from '../tenants/ports/traces.js';
import { SealedColumns } from '../tenants/ports/sealed-columns.js';
import { AlertMatchingModule } from './alert-matching.module.js';
import { AlertsController } from './service/alerts.controller.js';
import { AlertsRepository } from './alert/alerts.repository.js';
import { AlertsService } from './service/alerts.service.js';
import { MatchesController } from './triage/matches.controller.js';
import { MatchesRepository } from './triage/matches.repository.js';
import { MatchesService } from './triage/matches.service.js';
import { ReadingQuota } from './second-reading/reading-quota.js';
import { ReadingsRepository } from './second-reading/readings.repository.js';
import { WatchedAlertsRepository } from './conditions/watched-alerts.repository.js';
import { ChannelConfigs } from './alert/channel-configs.js';
import { AlertPruner } from './service/alert-pruner.js';
import { AlertMatchListService } from './service/alert-match-list.service.js';
import { AlertQuotas } from './service/alert-quotas.js';
import { AlertWarnings } from './service/alert-warnings.js';
import { AlertRelevanceService } from './service/alert-relevance.service.js';
import { AlertRecallService } from './service/alert-recall.service.js';
import { StoriesController } from './service/stories.controller.js';
import { StoryListService } from './service/story-list.service.js';
import { AlertPreviewsService } from './service/alert-previews.service.js';

@Module({
  imports: [AlertMatchingModule, CommentsModule, ContentModule, PostsModule],
  controllers: [AlertsController, MatchesController, StoriesController],
  providers: [
    AlertPruner,
    AlertMatchListService,
    AlertPreviewsService,
    AlertQuotas,
    AlertWarnings,
    AlertRelevanceService,
    AlertRecallService,
    AlertsService,
    MatchesService,
    MatchesRepository,
    ReadingQuota,
    ReadingsRepository,
    WatchedAlertsRepository,
    StoryListService,
    ChannelConfigs,
  ],
  exports: [
    AlertMatchingModule,
    WatchedAlertsRepository,
    AlertsService,
    ChannelConfigs,
    MatchesRepository,
    ReadingQuota,
    ReadingsRepository,
  ],
})
export class AlertsModule {
  constructor(
    quotas: QuotasService,
    alertsRepository: AlertsRepository,
    sealed: SealedColumns,
    configs: ChannelConfigs,
    traces: Traces,
    transactions: TransactionRunner,
  ) {
    traces.register({
      erase: async (workspaceId, subject) => {
        if (subject?.kind === 'author')
          await transactions.run((tx) => alertsRepository.eraseAuthor(workspaceId, subject.author, tx));
      },
    });
    sealed.register(alertsRepository, configs);
    quotas.register('alerts', (workspaceId, tx) => alertsRepository.count(workspaceId, tx));
    quotas.register('alert_keywords', (workspaceId, tx) => alertsRepository.countKeywords(workspaceId, tx));
  }
}
