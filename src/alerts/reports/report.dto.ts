import { applyDecorators } from '@nestjs/common';
import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { publicId } from '../../common/ids.js';
import { Length } from '../../http/parameters/text-length.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { maskConfig, withoutSecrets } from '../../messages/channels/channels.js';
import { CreateAlertDto, UpdateAlertDto } from '../alert/alert.dto.js';
import { CHANNEL } from '../alert/alert-fields.js';
import { WEEKDAYS } from '../alert/release-time.js';
import { PlanChangesDto, PlanDto } from './plan.dto.js';
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

export class UpdateReportDto extends IntersectionType(PickType(UpdateAlertDto, OF_ALERTS), PlanChangesDto) {
  @Ids('Ids of alerts. A report has at least one alert or saved search.')
  alerts?: string[];

  @Ids('Ids of saved searches.')
  searches?: string[];
}

/** A report that is not saved; its channel is not used. */
export class DraftReportDto extends IntersectionType(
  OmitType(UpdateReportDto, ['every', 'weekday', 'timezone', 'at'] as const),
  PlanDto,
) {}

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
