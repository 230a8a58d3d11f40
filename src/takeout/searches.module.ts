import { Module } from '@nestjs/common';
import { ExportJobsModule } from './export-jobs.module.js';
import { SearchesController } from './searches/searches.controller.js';
import { SearchModule } from '../search/search.module.js';
import { FeedItems } from './feeds/feed-items.js';
import { FeedsController } from './feeds/feeds.controller.js';
import { FeedsService } from './feeds/feeds.service.js';
import { SearchesService } from './searches/searches.service.js';
import { ContentModule } from '../content/content.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { PostsModule } from '../content/posts.module.js';
import { ArrivedResults } from './searches/stream/arrived-results.js';
import { SearchStreamController } from './searches/stream/search-stream.controller.js';
import { PinnedTrendsController } from './trends/pinned-trends.controller.js';
import { PinnedTrendsService } from './trends/pinned-trends.service.js';
import { SharedTrendsController } from './trends/shared-trends.controller.js';
import { TrendSeries } from './trends/trend-series.js';
import { SearchStreams } from './searches/stream/search-streams.service.js';

/** Saved searches, their feeds and streams, and pinned trends with their links. */
@Module({
  imports: [ContentModule, CommentsModule, ExportJobsModule, PostsModule, SearchModule],
  controllers: [
    SearchesController,
    FeedsController,
    SearchStreamController,
    PinnedTrendsController,
    SharedTrendsController,
  ],
  providers: [
    SearchesService,
    FeedsService,
    FeedItems,
    SearchStreams,
    ArrivedResults,
    PinnedTrendsService,
    TrendSeries,
  ],
})
export class SearchesModule {}
