import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { AnalyticsController } from './analytics.controller.js';
import { ExplainController } from './explain.controller.js';
import { AnalyticsService } from './analytics.service.js';

@Module({
  imports: [SearchModule],
  controllers: [AnalyticsController, ExplainController],
  providers: [AnalyticsService],
})
export class AnalyticsModule {}
