import { ApiProperty } from '@nestjs/swagger';
import { ALERT_SCOPES, type AlertScope } from '../alert/alert-scope.js';

/** The lengths of a report's period, in calendar units of its time zone. */
export const REPORT_PERIODS = ['day', 'week', 'month'] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

export class ReportTimesDto {
  from: Date;
  /** The first instant after it. */
  to: Date;
}

/** Numbers of posts and comments. */
export class ReportVolumeDto {
  current: number;
  previous: number;
  change: number;
}

/** Means in [-1, 1], as `GET /analytics/timeseries` answers them; null without posts and comments. */
export class ReportSentimentDto {
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  current: number | null;
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  previous: number | null;
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  change: number | null;
}

/** A share of the posts and comments of all lines, with its 90 % interval. */
export class ShareOfVoiceDto {
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1 })
  share: number;
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1 })
  low: number;
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1 })
  high: number;
}

/** The figures of one alert or saved search. */
export class ReportLineDto {
  @ApiProperty({ type: String, nullable: true })
  alert_id: string | null;
  @ApiProperty({ type: String, nullable: true })
  search_id: string | null;
  name: string;
  @ApiProperty({ enum: ALERT_SCOPES })
  of: AlertScope;
  /** The filters with which `/analytics` answers the same figures; `all` is the sum of posts and comments. */
  filters: Record<string, unknown>;
  volume: ReportVolumeDto;
  mean_sentiment: ReportSentimentDto;
  /** Null when no line has posts or comments. */
  @ApiProperty({ type: ShareOfVoiceDto, nullable: true })
  share_of_voice: ShareOfVoiceDto | null;
}

/** The posts and comments of all lines in an hour or day of both periods. */
export class ReportTrendDto {
  start: Date;
  volume: number;
}

/** A story that began in the period. */
export class ReportStoryDto {
  id: string;
  /** The post that has the title. */
  post_id: string;
  title: string;
  /** Number of posts. */
  size: number;
  first_at: Date;
}

/** A post that asks for an answer: matched by an alert of the report, with no decision on it. */
export class ReportPostDto {
  post_id: string;
  alert_id: string;
  title: string;
  forum: string;
  author: string;
  permalink: string;
  created_utc: Date;
  score: number;
  num_comments: number;
  /** Probability that it is relevant; null while the alert has learned nothing. */
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  relevance: number | null;
  /** Why it is here, each in a few words. */
  reasons: string[];
}

/** What the figures lack. */
export class NotReadDto {
  /** A target, a source of `listen`, or the name of an alert or saved search. */
  source: string;
  /** A sentence. */
  reason: string;
}

export class ReportContentDto {
  name: string;
  @ApiProperty({ enum: REPORT_PERIODS })
  every: ReportPeriod;
  timezone: string;
  period: ReportTimesDto;
  previous: ReportTimesDto;
  /** One sentence, which names what was not read. */
  summary: string;
  /** No volume and mean sentiment changed, there is no new story, and there is nothing to answer. */
  unchanged: boolean;
  lines: ReportLineDto[];
  /** By hour for a day, otherwise by day, without gaps. */
  trend: ReportTrendDto[];
  new_stories: ReportStoryDto[];
  /** The ten that need an answer most. */
  to_answer: ReportPostDto[];
  not_read: NotReadDto[];
}
