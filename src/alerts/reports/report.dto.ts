import { applyDecorators } from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { publicId } from '../../common/ids.js';
import { Length } from '../../http/parameters/text-length.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { maskConfig, withoutSecrets } from '../../messages/channels/channels.js';
import { IsLocalTime, IsTimeZoneName } from '../alert/alert-delivery.dto.js';
import { CreateAlertDto, UpdateAlertDto } from '../alert/alert.dto.js';
import { CHANNEL } from '../alert/alert-fields.js';
import { WEEKDAYS } from '../alert/release-time.js';
import { REPORT_PERIODS, type ReportPeriod } from './report-content.dto.js';
import type { Report } from './report.entity.js';

/** Maximum number of alerts, and of saved searches, of a report. */
const MAX_LINES = 20;
const MAX_ID_LENGTH = 64;
/** Fields that are as those of alerts. */
const OF_ALERTS = ['name', 'channel', 'channel_config'] as const;

const Ids = (description: string): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      description,
      required: false,
      maxItems: MAX_LINES,
      items: { type: 'string', minLength: 1, maxLength: MAX_ID_LENGTH },
    }),
    IsOptional(),
    IsArray(),
    ArrayMaxSize(MAX_LINES),
    IsString({ each: true }),
    Length(1, MAX_ID_LENGTH, { each: true }),
  );

/** The formats of a report: its figures, a page, or Markdown. */
export const REPORT_FORMATS = ['json', 'html', 'md'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export class ReadReportDto {
  @IsOptional()
  @IsIn(REPORT_FORMATS)
  format?: ReportFormat = 'json';
}

export class UpdateReportDto extends PickType(UpdateAlertDto, OF_ALERTS) {
  @Ids('Ids of alerts. A report has at least one alert or saved search.')
  alerts?: string[];

  @Ids('Ids of saved searches.')
  searches?: string[];

  /** The period, from local midnight to local midnight: a day, a week that ends on `weekday`, or a month of the calendar. */
  @IsOptional()
  @IsIn(REPORT_PERIODS)
  every?: ReportPeriod;

  /** Local time at which it is sent on the day after the period. */
  @IsOptional()
  @IsString()
  @IsLocalTime()
  at?: string;

  /** Day on which a weekly report is sent. */
  @IsOptional()
  @IsIn(WEEKDAYS)
  weekday?: (typeof WEEKDAYS)[number];

  /** Name of the IANA database. */
  @IsOptional()
  @IsTimeZoneName()
  timezone?: string;
}

/** A report that is not saved; its channel is not used. */
export class DraftReportDto extends OmitType(UpdateReportDto, [
  'every',
  'weekday',
  'timezone',
  'at',
] as const) {
  /** The period, from local midnight to local midnight: a day, a week that ends on `weekday`, or a month of the calendar. */
  @IsOptional()
  @IsIn(REPORT_PERIODS)
  every?: ReportPeriod = 'week';

  /** Local time at which it is sent on the day after the period. */
  @IsOptional()
  @IsString()
  @IsLocalTime()
  at?: string = '08:00';

  /** Day on which a weekly report is sent. */
  @IsOptional()
  @IsIn(WEEKDAYS)
  weekday?: (typeof WEEKDAYS)[number] = 'monday';

  /** Name of the IANA database. */
  @IsOptional()
  @IsTimeZoneName()
  timezone?: string = 'UTC';
}

export class CreateReportDto extends IntersectionType(
  PickType(CreateAlertDto, OF_ALERTS),
  OmitType(DraftReportDto, OF_ALERTS),
) {}

export class ReportDto {
  /** `report_…`. */
  id: string;
  name: string;
  /** Ids. */
  alerts: string[];
  /** Ids. */
  searches: string[];
  @ApiProperty({ enum: REPORT_PERIODS })
  every: ReportPeriod;
  at: string;
  @ApiProperty({ enum: WEEKDAYS })
  weekday: (typeof WEEKDAYS)[number];
  timezone: string;
  @ApiProperty(CHANNEL)
  channel: string;
  /** As sent, without `secret`. Addresses are masked for keys without the `write` scope. */
  channel_config: Record<string, unknown>;
  created_at: Date;

  static from(report: Report, config: ChannelConfig, isMasked = false): ReportDto {
    return {
      id: publicId('report', report.id),
      name: report.name,
      alerts: report.alertIds.map((id) => publicId('alert', id)),
      searches: report.searchIds.map((id) => publicId('search', id)),
      every: report.every,
      at: report.at,
      weekday: report.weekday,
      timezone: report.timezone,
      channel: report.channel,
      channel_config: isMasked ? maskConfig(config) : withoutSecrets(config),
      created_at: report.createdAt,
    };
  }
}
