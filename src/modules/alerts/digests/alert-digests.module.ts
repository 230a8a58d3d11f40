import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../../analytics/analytics.module.js';
import { CommentsModule } from '../../comments/comments.module.js';
import { EventsModule } from '../../events/events.module.js';
import { PostsModule } from '../../posts/posts.module.js';
import { AlertsModule } from '../alerts.module.js';
import { SpikeWatcher } from '../spikes/spike-watcher.js';
import { DigestSender } from './digest-sender.js';

/** The scheduler's part of alerts: sends what was held back, and looks for spikes. */
@Module({
  imports: [AlertsModule, AnalyticsModule, CommentsModule, EventsModule, PostsModule],
  providers: [DigestSender, SpikeWatcher],
})
export class AlertDigestsModule {}
