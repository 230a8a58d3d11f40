import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../../content/analytics/analytics.module.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { AlertsModule } from '../alerts.module.js';
import { SpikeWatcher } from '../spikes/spike-watcher.js';
import { DigestSender } from './digest-sender.js';

/** The scheduler's part of alerts: sends what was held back, and looks for spikes. */
@Module({
  imports: [AlertsModule, AnalyticsModule, CommentsModule, EventsModule, PostsModule],
  providers: [DigestSender, SpikeWatcher],
})
export class AlertDigestsModule {}
