import { ApiProperty } from '@nestjs/swagger';
import { SENTIMENT_LABELS } from '../enrichment/enrichment.js';
import { AlertSummaryDto } from '../alerts/alert/alert.dto.js';
import { AlertSpikeDto } from '../alerts/alert/alert-condition.dto.js';
import { StoryDto } from '../content/stories/story.dto.js';
import { CommentHighlightsDto } from '../content/comments/dto/comment.dto.js';
import { ExportDto } from '../takeout/exports/dto/export-job.dto.js';
import { JobDto } from '../collect/jobs/dto/job.dto.js';
import { PostHighlightsDto } from '../content/posts/dto/post.dto.js';

/** Fields that every webhook event has in addition to its `type` and `data`. */
class EventDto {
  /** Id of the event, `evt_…`. */
  id: string;
  timestamp: Date;
  workspace_id: string;
}

export class JobCompletedEventDto extends EventDto {
  @ApiProperty({ enum: ['job.completed'] })
  type: 'job.completed';
  data: JobDto;
}

export class JobFailedEventDto extends EventDto {
  @ApiProperty({ enum: ['job.failed'] })
  type: 'job.failed';
  data: JobDto;
}

/** A post that an alert matched. */
export class MatchedPostDto {
  id: string;
  forum: string;
  title: string;
  author: string;
  created_utc: Date;
  /** Path on the platform. */
  permalink: string;
  @ApiProperty({ type: String, nullable: true })
  url: string | null;
  score: number;
  num_comments: number;
  /** The first 1,000 characters. */
  selftext: string;
  /** The alert's keywords found in the post. */
  matched_keywords: string[];
  @ApiProperty({ enum: SENTIMENT_LABELS, required: false })
  sentiment_label?: string;
  /** Number of reposts of the same event, or since the digest before, that are folded into it; absent without any. */
  duplicates?: number;
  /** Only of the records that channels show: as in lists with `highlight`, by the keywords and the query. */
  highlights?: PostHighlightsDto;
  /** Only of a repost that is folded into an earlier match; the alert's channel is not notified of it. */
  is_duplicate?: boolean;
}

/** A comment that an alert matched. */
export class MatchedCommentDto {
  comment_id: string;
  post_id: string;
  /** Path of the post on the platform. */
  post_permalink: string;
  forum: string;
  author: string;
  created_utc: Date;
  score: number;
  /** The first 1,000 characters. */
  body: string;
  /** The alert's keywords found in the comment. */
  matched_keywords: string[];
  @ApiProperty({ enum: SENTIMENT_LABELS, required: false })
  sentiment_label?: string;
  /** Number of reposts of the same event, or since the digest before, that are folded into it; absent without any. */
  duplicates?: number;
  /** Only of the records that channels show: as in lists with `highlight`, by the keywords and the query. */
  highlights?: CommentHighlightsDto;
  /** Only of a repost that is folded into an earlier match; the alert's channel is not notified of it. */
  is_duplicate?: boolean;
}

export class AlertTriggeredDataDto extends AlertSummaryDto {
  /** The first 100. */
  posts: MatchedPostDto[];
  /** The first 100. */
  comments: MatchedCommentDto[];
  /** The same as `posts`. */
  matched_posts: MatchedPostDto[];
  matched_posts_total: number;
  matched_comments_total: number;
  /** Of an alert on spikes: the hour or day that triggered it, in place of posts and comments; null after its content was erased. */
  @ApiProperty({ type: AlertSpikeDto, nullable: true, required: false })
  spike?: AlertSpikeDto | null;
  /** Of an alert on stories: the story that triggered it; `posts` and `comments` are its most telling ones. Null after content of it was erased. */
  @ApiProperty({ type: StoryDto, nullable: true, required: false })
  story?: StoryDto | null;
}

export class AlertTriggeredEventDto extends EventDto {
  @ApiProperty({ enum: ['alert.triggered'] })
  type: 'alert.triggered';
  data: AlertTriggeredDataDto;
}

export class AlertTestEventDto extends EventDto {
  @ApiProperty({ enum: ['alert.test'] })
  type: 'alert.test';
  data: AlertTriggeredDataDto;
}

export class ExportCompletedEventDto extends EventDto {
  @ApiProperty({ enum: ['export.completed'] })
  type: 'export.completed';
  data: ExportDto;
}

export class WebhookTestDataDto {
  webhook_id: string;
  message: string;
}

export class WebhookTestEventDto extends EventDto {
  @ApiProperty({ enum: ['webhook.test'] })
  type: 'webhook.test';
  data: WebhookTestDataDto;
}
