import { Module } from '@nestjs/common';
import { PostsModule } from './posts.module.js';
import { SearchModule } from '../search/search.module.js';
import { AnalyticsController } from './analytics/analytics.controller.js';
import { ExplainController } from './analytics/explain.controller.js';
import { AnalyticsService } from './analytics/analytics.service.js';
import { SpikesService } from './analytics/spikes.service.js';

@Module({
  imports: [PostsModule, SearchModule],
  controllers: [AnalyticsController, ExplainController],
  providers: [AnalyticsService, SpikesService],
  exports: [SpikesService],
})
export class AnalyticsModule {}
