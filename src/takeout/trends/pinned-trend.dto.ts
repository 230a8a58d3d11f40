import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { publicId } from '../../common/ids.js';
import { type Subject, SUBJECTS, TimeSeriesDto } from '../../content/analytics/dto/analytics.dto.js';
import { Length, MaxLength } from '../../http/parameters/text-length.js';
import { type Interval, INTERVALS } from '../../search/search-request.js';
import {
  type PinnedTrend,
  type Trend,
  TREND_MEASURES,
  TREND_PERIODS,
  TREND_SPLITS,
} from './pinned-trend.entity.js';

const MAX_QUERIES = 5;
const MAX_Q_LENGTH = 4_000;

export class CreatePinnedTrendDto implements Trend {
  /** A line each, as `q` of a list; without any, everything is counted. */
  @IsArray()
  @ArrayMaxSize(MAX_QUERIES)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, MAX_Q_LENGTH, { each: true })
  queries: string[];

  @IsIn(SUBJECTS)
  of: Subject;

  /** Number of days up to the present. */
  @IsIn(TREND_PERIODS)
  period: Trend['period'];

  @IsIn(INTERVALS)
  interval: Interval;

  /** A line for each value, at most of one query; `of` for one of posts and one of comments. */
  @IsOptional()
  @IsIn(TREND_SPLITS)
  split_by?: (typeof TREND_SPLITS)[number];

  @IsIn(TREND_MEASURES)
  measure: Trend['measure'];
}

/** The fields of a trend as responses have them. */
class TrendDto {
  queries: string[];
  @ApiProperty({ enum: SUBJECTS })
  of: Subject;
  @ApiProperty({ enum: TREND_PERIODS })
  period: Trend['period'];
  @ApiProperty({ enum: INTERVALS })
  interval: Interval;
  @ApiPropertyOptional({ enum: TREND_SPLITS })
  split_by?: (typeof TREND_SPLITS)[number];
  @ApiProperty({ enum: TREND_MEASURES })
  measure: Trend['measure'];
}

export class PinnedTrendDto extends TrendDto {
  /** `pin_…`. */
  id: string;
  created_at: Date;
  /** When its read-only link ends; null without one. */
  link_expires_at: Date | null;

  static from({ id, trend, createdAt, linkExpiresAt }: PinnedTrend): PinnedTrendDto {
    return {
      id: publicId('pin', id),
      ...trend,
      created_at: createdAt,
      link_expires_at: linkExpiresAt,
    };
  }
}

/** The secret address of a trend; shown once. */
export class TrendLinkDto {
  link_url: string;
  expires_at: Date;
}

export class SharedTrendQueryDto {
  /** From the address of the link. */
  @IsString()
  @Length(1, 100)
  token: string;

  /** IANA time zone of the hours, days, weeks (from Monday) and months. */
  @IsOptional()
  @IsString()
  @MaxLength(64)
  timezone?: string = 'UTC';
}

export class SharedTrendDto extends TrendDto {
  /** Start of the period; null for all time. */
  created_after: Date | null;
  /** End of the period; null for all time. */
  created_before: Date | null;
  /** One for each query, or for posts and for comments. */
  series: TimeSeriesDto[];
  /** When the link ends. */
  expires_at: Date;
}
