import { Module } from '@nestjs/common';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PlatformModule } from '../../platforms/platform.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MediaModule } from '../media/media.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { BatchWriter } from './batch-writer.js';
import { KeywordFrequenciesRepository } from './keyword-frequencies.repository.js';
import { ScrapeReconciler } from './scrape-reconciler.js';
import { ScrapeProcessor } from './scrape.processor.js';
import { ScrapeRunner } from './scrape-runner.js';
import { ScrapeWork } from './scrape-work.js';
import { WorkspaceKeywords } from './workspace-keywords.js';

@Module({
  imports: [AlertsModule, JobsModule, MediaModule, PostsModule, CommentsModule, EventsModule, PlatformModule],
  providers: [
    ScrapeProcessor,
    ScrapeRunner,
    ScrapeWork,
    ScrapeReconciler,
    BatchWriter,
    KeywordFrequenciesRepository,
    WorkspaceKeywords,
    { provide: TextAnalyzer, useFactory: () => TextAnalyzer.load() },
  ],
})
export class ScrapingModule {}
