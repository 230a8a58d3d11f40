import { Module } from '@nestjs/common';
import { PostsModule } from '../posts/posts.module.js';
import { SearchModule } from '../../search/search.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { ExplainController } from './explain.controller.js';
import { AnalyticsService } from './analytics.service.js';
import { SpikesService } from './spikes.service.js';

@Module({
  imports: [PostsModule, SearchModule],
  controllers: [AnalyticsController, ExplainController],
  providers: [AnalyticsService, SpikesService],
  exports: [SpikesService],
})
export class AnalyticsModule {}
