import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { ContentModule } from '../content/content.module.js';
import { PostsModule } from '../content/posts.module.js';
import { TextAnalyzer } from '../enrichment/analyzer.js';
import { MessagesModule } from '../messages/messages.module.js';
import { JobsModule } from './jobs.module.js';
import { ContentRecheck } from './rechecks/content-recheck.entity.js';
import { ContentRechecker } from './rechecks/content-rechecker.js';
import { ContentRechecksRepository } from './rechecks/content-rechecks.repository.js';
import { DeletionWorker } from './rechecks/deletion-worker.js';
import { RecheckMetrics } from './rechecks/recheck-metrics.js';
import { RecheckWorker } from './rechecks/recheck-worker.js';
import { BatchWriter } from './scraping/batch-writer.js';
import { JobClaims } from './scraping/job-claims.js';
import { JobEnding } from './scraping/job-ending.js';
import { JobExecutor } from './scraping/job-executor.js';
import { JobHistoryPruner } from './scraping/job-history-pruner.js';
import { JobWorker } from './scraping/job-worker.js';
import { ScrapeProcessor } from './scraping/scrape.processor.js';
import { ScrapingMetrics } from './scraping/scraping-metrics.js';
import { HeardWriter } from './listening/heard-writer.js';
import { HeardWorker } from './listening/heard-worker.js';
import { WorkerHeartbeat } from './scraping/worker-heartbeat.js';
import { WorkspaceKeywords } from './scraping/workspace-keywords.js';

/** The worker role: executes jobs (fetches, enriches and stores), and rechecks stored content. */
@Module({
  imports: [
    AlertsModule,
    CommentsModule,
    ContentModule,
    JobsModule,
    MessagesModule,
    PostsModule,
    TypeOrmModule.forFeature([ContentRecheck]),
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
    RecheckWorker,
    ContentRechecker,
    ContentRechecksRepository,
    RecheckMetrics,
    DeletionWorker,
    HeardWorker,
    HeardWriter,
  ],
})
export class CollectWorkerModule {}
