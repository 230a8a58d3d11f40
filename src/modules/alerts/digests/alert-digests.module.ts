import { Module } from '@nestjs/common';
import { CommentsModule } from '../../comments/comments.module.js';
import { EventsModule } from '../../events/events.module.js';
import { PostsModule } from '../../posts/posts.module.js';
import { AlertsModule } from '../alerts.module.js';
import { DigestSender } from './digest-sender.js';

/** The scheduler's part of alerts: sends what was held back. */
@Module({
  imports: [AlertsModule, CommentsModule, EventsModule, PostsModule],
  providers: [DigestSender],
})
export class AlertDigestsModule {}
