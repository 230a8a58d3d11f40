import { Module } from '@nestjs/common';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PlatformModule } from '../../platforms/platform.module.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { EventsModule } from '../events/events.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { BatchWriter } from './batch-writer.js';
import { ScrapeProcessor } from './scrape.processor.js';
import { ScrapeRunner } from './scrape-runner.js';

@Module({
  imports: [JobsModule, PostsModule, CommentsModule, EventsModule, AlertsModule, PlatformModule],
  providers: [
    ScrapeProcessor,
    ScrapeRunner,
    BatchWriter,
    { provide: TextAnalyzer, useFactory: () => TextAnalyzer.load() },
  ],
})
export class ScrapingModule {}
