import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module.js';
import { CommentsModule } from '../content/comments.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PostsModule } from '../content/posts.module.js';
import { AlertsModule } from './alerts.module.js';
import { ReportsModule } from './reports.module.js';
import { MatchedTexts } from './relevance/matched-texts.js';
import { RelevanceLearner } from './relevance/relevance-learner.js';
import { QuestionReader } from './second-reading/question-reader.js';
import { ReadingMetrics } from './second-reading/reading-metrics.js';
import { ReadMatchSender } from './second-reading/read-match-sender.js';
import { SecondReader } from './second-reading/second-reader.js';
import { ReportSender } from './reports/report-sender.js';
import { AlertReadings } from './conditions/alert-readings.js';
import { ConditionWatcher } from './conditions/condition-watcher.js';
import { DigestSender } from './digests/digest-sender.js';

/** The scheduler's part of alerts: sends held notifications and reports, looks for spikes and stories, learns the relevance of matches, and reads uncertain ones a second time. */
@Module({
  imports: [AlertsModule, CommentsModule, ContentModule, MessagesModule, PostsModule, ReportsModule],
  providers: [
    AlertReadings,
    ConditionWatcher,
    DigestSender,
    MatchedTexts,
    QuestionReader,
    ReadingMetrics,
    ReadMatchSender,
    RelevanceLearner,
    ReportSender,
    SecondReader,
  ],
})
export class AlertDigestsModule {}
