import { Module } from '@nestjs/common';
import { AnalyticsModule } from '../content/analytics.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { EventsModule } from '../messages/events.module.js';
import { PostsModule } from '../content/posts.module.js';
import { AlertsModule } from './alerts.module.js';
import { SpikeWatcher } from './spikes/spike-watcher.js';
import { DigestSender } from './digests/digest-sender.js';

/** The scheduler's part of alerts: sends held notifications, and looks for spikes. */
@Module({
  imports: [AlertsModule, AnalyticsModule, CommentsModule, EventsModule, PostsModule],
  providers: [DigestSender, SpikeWatcher],
})
export class AlertDigestsModule {}
