import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PostsModule } from '../content/posts.module.js';
import { AlertsModule } from './alerts.module.js';
import { MatchedTexts } from './relevance/matched-texts.js';
import { RelevanceLearner } from './relevance/relevance-learner.js';
import { SpikeWatcher } from './spikes/spike-watcher.js';
import { DigestSender } from './digests/digest-sender.js';

/** The scheduler's part of alerts: sends held notifications, looks for spikes, and learns the relevance of matches. */
@Module({
  imports: [AlertsModule, CommentsModule, ContentModule, MessagesModule, PostsModule],
  providers: [DigestSender, MatchedTexts, RelevanceLearner, SpikeWatcher],
})
export class AlertDigestsModule {}
