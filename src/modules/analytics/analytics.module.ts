import { Module } from '@nestjs/common';
import { CommentsModule } from '../comments/comments.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { SearchModule } from '../search/search.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { SearchWarmUp } from './search-warm-up.js';

@Module({
  imports: [PostsModule, CommentsModule, SearchModule],
  controllers: [AnalyticsController],
  providers: [AnalyticsService, SearchWarmUp],
})
export class AnalyticsModule {}
