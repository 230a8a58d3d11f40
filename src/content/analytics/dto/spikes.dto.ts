import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { MaxLength } from '../../../http/parameters/text-length.js';
import { SPIKE_INTERVALS, type SpikeInterval } from '../spike-series.js';
import { AnalyticsFilterDto, SUBJECTS, type Subject } from './analytics.dto.js';

/** Maximum number of spikes in a response: those with the largest scores. */
export const MAX_SPIKES = 10;

export class SpikesQueryDto extends AnalyticsFilterDto {
  @IsOptional()
  @IsIn(SUBJECTS)
  of?: Subject = 'posts';

  /** Length of the buckets that are compared. */
  @IsOptional()
  @IsIn(SPIKE_INTERVALS)
  interval?: SpikeInterval = 'hour';

  /** IANA time zone of the hours and days. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  timezone?: string = 'UTC';
}

export class SpikeKeywordDto {
  keyword: string;
  /** Posts of the spike that have it. */
  count: number;
}

export class SpikePostDto {
  /** Platform id, `t3_…` or `hn_…`. */
  id: string;
  title: string;
  forum: string;
  author: string;
  created_utc: Date;
  /** Path on the platform. */
  permalink: string;
  score: number;
  num_comments: number;
}

export class SpikeDto {
  start: Date;
  /** Exclusive. */
  end: Date;
  /** Matches from `start` to `end`. */
  count: number;
  /** How many were expected. */
  @ApiProperty({ type: 'number', format: 'double' })
  expected: number;
  /** How rare its rarest bucket is: standard deviations of a normal distribution. 2.33 is one in 100 buckets of the series, 3.09 one in 1,000. */
  @ApiProperty({ type: 'number', format: 'double' })
  score: number;
  /** Keywords that distinguish the spike from the period before it; none for comments. */
  top_keywords: SpikeKeywordDto[];
  /** Its posts with the most comments; for comments, the posts with most of its comments. */
  top_posts: SpikePostDto[];
}

export class SpikesDto {
  interval: SpikeInterval;
  timezone: string;
  /** In chronological order; of more than 10, those with the largest scores. */
  spikes: SpikeDto[];
}
