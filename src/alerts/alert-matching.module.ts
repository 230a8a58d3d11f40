import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MessagesModule } from '../messages/messages.module.js';
import { Listeners } from '../tenants/ports/listeners.js';
import { Removals } from '../tenants/ports/removals.js';
import { Alert } from './alert/alert.entity.js';
import { keyOfComment } from '../content/comments/comment-keys.js';
import { AlertMatchesRepository } from './matching/alert-matches.repository.js';
import { AlertMatchingService } from './service/alert-matching.service.js';
import { AlertsRepository } from './alert/alerts.repository.js';
import { DigestsRepository } from './digests/digests.repository.js';
import { RelevanceModels } from './relevance/relevance-models.js';
import { RelevanceRepository } from './relevance/relevance.repository.js';
import { StoriesRepository } from './stories/stories.repository.js';
import { ReadingDay } from './second-reading/reading-day.entity.js';
import { MatchSender } from './service/match-sender.js';
import { MatchRecorder } from './service/match-recorder.js';
import { StoryFolding } from './stories/story-folding.service.js';
import { WorkspaceStores } from '../tenants/ports/workspace-stores.js';

/** Matches stored posts and comments against alerts; needs only Postgres. */
@Module({
  imports: [TypeOrmModule.forFeature([Alert, ReadingDay]), MessagesModule],
  providers: [
    AlertsRepository,
    AlertMatchesRepository,
    AlertMatchingService,
    DigestsRepository,
    StoriesRepository,
    MatchRecorder,
    MatchSender,
    StoryFolding,
    RelevanceRepository,
    RelevanceModels,
  ],
  exports: [
    AlertsRepository,
    AlertMatchesRepository,
    AlertMatchingService,
    DigestsRepository,
    MatchSender,
    StoriesRepository,
    RelevanceRepository,
    RelevanceModels,
  ],
})
export class AlertMatchingModule {
  constructor(
    removals: Removals,
    stores: WorkspaceStores,
    matches: AlertMatchesRepository,
    listeners: Listeners,
    alerts: AlertsRepository,
    relevance: RelevanceRepository,
  ) {
    listeners.register({
      version: () => alerts.listenersVersion(),
      list: () => alerts.listeners(),
      listened: (workspaceId, tx) => alerts.listened(workspaceId, tx),
    });
    stores.register({ kept: ['alert_versions'] });
    removals.register({
      tables: ['alert_matches'],
      when: 'erasure',
      posts: async (workspaceId, ids, tx) => ({ matches: await matches.deleteOf(workspaceId, ids, tx) }),
      comments: async (workspaceId, ids, tx) => ({
        matches: await matches.deleteOf(workspaceId, ids.map(keyOfComment), tx),
      }),
    });
    removals.register({
      tables: ['alert_relevance'],
      when: 'erasure',
      posts: (workspaceId, _ids, tx) => relevance.forget(workspaceId, tx),
      comments: (workspaceId, _ids, tx) => relevance.forget(workspaceId, tx),
    });
  }
}
