import { Module } from '@nestjs/common';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PlatformModule } from '../../platforms/platform.module.js';
import { AlertsModule } from '../../alerts/alerts.module.js';
import { CommentsModule } from '../../content/comments/comments.module.js';
import { EventsModule } from '../../messages/outbox/events.module.js';
import { ReadinessModule } from '../../infrastructure/readiness/readiness.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MediaModule } from '../../content/media/media.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { StreamsRepositoryModule } from '../streams/streams-repository.module.js';
import { BatchWriter } from './batch-writer.js';
import { JobClaims } from './job-claims.js';
import { JobEnding } from './job-ending.js';
import { JobExecutor } from './job-executor.js';
import { JobHistoryPruner } from './job-history-pruner.js';
import { JobWorker } from './job-worker.js';
import { ScrapeProcessor } from './scrape.processor.js';
import { ScrapingMetrics } from './scraping-metrics.js';
import { WorkerHeartbeat } from './worker-heartbeat.js';
import { WorkspaceKeywords } from './workspace-keywords.js';
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
