import { SpikeDto } from '../../content/analytics/dto/spikes.dto.js';
import { StoryDto } from '../../content/stories/story.dto.js';

export class PreviewMatchDto {
  /** Platform id, `t3_…` or `hn_…`. */
  post_id: string;
  forum: string;
  title: string;
  author: string;
  created_utc: Date;
  /** Path on the platform. */
  permalink: string;
  /** The alert's keywords that were found, as sent. */
  keywords: string[];
}

export class AlertMatchDto extends PreviewMatchDto {
  /** The job that collected the post. */
  job_id: string;
  matched_at: Date;
}

export class AlertMatchPageDto {
  matches: AlertMatchDto[];
  total: number;
  has_more: boolean;
}

export class PreviewCommentDto {
  /** Platform id, `t1_…` or `hn_…`. */
  comment_id: string;
  post_id: string;
  forum: string;
  author: string;
  created_utc: Date;
  /** Path of the post on the platform. */
  post_permalink: string;
  body: string;
  /** The alert's keywords that were found, as sent. */
  keywords: string[];
}

export class AlertPreviewDto {
  /** Only with a condition of the kind `spike`: hours or days of the newest two weeks of hours, or 336 days, that would have triggered it. */
  spikes?: SpikeDto[];
  /** Only with a condition of the kind `story`: stories of the last 30 days that would have triggered it, largest first; at most 50. */
  stories?: StoryDto[];
  /** Number of stored posts that were checked, starting with the newest. */
  posts_scanned: number;
  /** Number of these posts that match. */
  total: number;
  /** The newest matches. */
  matches: PreviewMatchDto[];
  /** Number of stored comments that were checked, starting with the newest. */
  comments_scanned: number;
  /** Number of these comments that match. */
  comments_total: number;
  /** The newest comments that match. */
  comments: PreviewCommentDto[];
}
