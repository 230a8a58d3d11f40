import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PostsModule } from '../content/posts.module.js';
import { AlertsModule } from './alerts.module.js';
import { SpikeWatcher } from './spikes/spike-watcher.js';
import { DigestSender } from './digests/digest-sender.js';

/** The scheduler's part of alerts: sends held notifications, and looks for spikes. */
@Module({
  imports: [AlertsModule, CommentsModule, ContentModule, MessagesModule, PostsModule],
  providers: [DigestSender, SpikeWatcher],
})
export class AlertDigestsModule {}
