import { Module } from '@nestjs/common';
import { TextAnalyzer } from '../enrichment/analyzer.js';
import { PlatformModule } from '../platforms/platform.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { EventsModule } from '../messages/events.module.js';
import { ReadinessModule } from '../infrastructure/readiness/readiness.module.js';
import { JobsModule } from './jobs.module.js';
import { MediaModule } from '../content/media.module.js';
import { PostsModule } from '../content/posts.module.js';
import { StreamsRepositoryModule } from './streams-repository.module.js';
import { BatchWriter } from './scraping/batch-writer.js';
import { JobClaims } from './scraping/job-claims.js';
import { JobEnding } from './scraping/job-ending.js';
import { JobExecutor } from './scraping/job-executor.js';
import { JobHistoryPruner } from './scraping/job-history-pruner.js';
import { JobWorker } from './scraping/job-worker.js';
import { ScrapeProcessor } from './scraping/scrape.processor.js';
import { ScrapingMetrics } from './scraping/scraping-metrics.js';
import { WorkerHeartbeat } from './scraping/worker-heartbeat.js';
import { WorkspaceKeywords } from './scraping/workspace-keywords.js';
import { ExecutionsModule } from './executions.module.js';

/** Executes jobs: fetches from the platform, enriches, and writes to the database. */
@Module({
  imports: [
    AlertsModule,
    ExecutionsModule,
    JobsModule,
    MediaModule,
    PostsModule,
    CommentsModule,
    EventsModule,
    ReadinessModule,
    PlatformModule,
    StreamsRepositoryModule,
  ],
  providers: [
    ScrapeProcessor,
    ScrapingMetrics,
    JobWorker,
    JobClaims,
    JobExecutor,
    JobEnding,
    BatchWriter,
    JobHistoryPruner,
    WorkerHeartbeat,
    WorkspaceKeywords,
    { provide: TextAnalyzer, useFactory: () => TextAnalyzer.load() },
  ],
  exports: [TextAnalyzer],
})
export class ScrapingModule {}
