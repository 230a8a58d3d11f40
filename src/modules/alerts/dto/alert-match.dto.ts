export class PreviewMatchDto {
  /** Platform id, `t3_…` or `hn_…`. */
  post_id: string;
  forum: string;
  title: string;
  author: string;
  created_utc: Date;
  /** Path on the platform. */
  permalink: string;
  /** The alert's keywords that were found, as they were given. */
  keywords: string[];
}

export class AlertMatchDto extends PreviewMatchDto {
  /** The job that brought the post. */
  job_id: string;
  matched_at: Date;
}

export class AlertMatchPageDto {
  matches: AlertMatchDto[];
  total: number;
  has_more: boolean;
}

export class AlertPreviewDto {
  /** How many stored posts were looked at, the newest first. */
  posts_scanned: number;
  /** How many of them match. */
  total: number;
  /** The newest of these. */
  matches: PreviewMatchDto[];
}
