import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Length } from '../../http/parameters/text-length.js';
import { publicId } from '../../common/ids.js';
import type { Alert } from './alert.entity.js';
import type { ChannelConfig } from '../../messages/channels/channel-config.js';
import { maskConfig, withoutSecrets } from '../../messages/channels/channels.js';
import { ListenTo } from '../../search/dto/listen.decorator.js';
import { ForumNames } from '../../search/dto/forum-names.decorator.js';
import { AlertDeliveryDto } from './alert-delivery.dto.js';
import { AlertWarningDto } from './alert-warning.dto.js';
import { AlertConditionDto, conditionOf } from './alert-condition.dto.js';
import {
  CHANNEL,
  IsChannel,
  isQueryMissing,
  KEYWORDS,
  MinRelevance,
  QUERY,
  Question,
  settingsOfChannels,
  ValidateUnlessNull,
} from './alert-fields.js';
import { AreKeywords, MAX_KEYWORDS } from './keyword.validator.js';
import { ALERT_SCOPES, type AlertScope } from './alert-scope.js';
import { IsQuery } from './query.validator.js';

const MAX_FORUMS = 100;
const MAX_FORUM_LENGTH = 255;

export class DraftAlertDto {
  /** Words and phrases. They match as a whole, regardless of case and accents. May be omitted if there is a `query`. */
  @ApiProperty({ ...KEYWORDS, required: false })
  @ValidateIf(isQueryMissing)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_KEYWORDS)
  @AreKeywords()
  keywords?: string[];

  @ApiProperty(QUERY)
  @ValidateUnlessNull()
  @IsQuery()
  query?: string | null;

  /** Kind of text that is matched. */
  @IsOptional()
  @IsIn(ALERT_SCOPES)
  of?: AlertScope = 'posts';

  /** Only posts in these forums; all forums if empty. */
  @ApiProperty({ maxItems: MAX_FORUMS })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_FORUMS)
  @ForumNames()
  @IsString({ each: true })
  @Length(1, MAX_FORUM_LENGTH, { each: true })
  forums?: string[] = [];

  /** Whether reposts of a story, within seven days, are counted by its first match instead of notified. */
  @IsOptional()
  @IsBoolean()
  fold_duplicates?: boolean = true;

  /** The trigger: every match, an unusual number or mean sentiment of matches in an hour or day, or a new story. */
  @IsOptional()
  @ValidateNested()
  @Type(() => AlertConditionDto)
  condition?: AlertConditionDto | null;
}

export class CreateAlertDto extends DraftAlertDto {
  @IsString()
  @Length(1, 255)
  name: string;

  @MinRelevance()
  min_relevance?: number | null;

  @Question()
  question?: string | null;

  /** When the channel is notified; by default of every match at once. */
  @ValidateUnlessNull()
  @ValidateNested()
  @Type(() => AlertDeliveryDto)
  delivery?: AlertDeliveryDto | null;

  @ListenTo()
  listen?: string[] = [];

  @IsChannel()
  channel?: string = 'email';

  @ApiProperty({
    description: `The settings of the channel. ${settingsOfChannels()}. Secrets are never shown.`,
  })
  @IsOptional()
  @IsObject()
  channel_config?: Record<string, unknown> = {};
}

export class UpdateAlertDto {
  @IsOptional()
  @IsString()
  @Length(1, 255)
  name?: string;

  /** May be empty if a `query` is sent, too. */
  @ApiProperty(KEYWORDS)
  @IsOptional()
  @ValidateIf(isQueryMissing)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_KEYWORDS)
  @AreKeywords()
  keywords?: string[];

  @ApiProperty(QUERY)
  @ValidateUnlessNull()
  @IsQuery()
  query?: string | null;

  /** Kind of text that is matched. */
  @IsOptional()
  @IsIn(ALERT_SCOPES)
  of?: AlertScope;

  @ApiProperty({ maxItems: MAX_FORUMS })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_FORUMS)
  @ForumNames()
  @IsString({ each: true })
  @Length(1, MAX_FORUM_LENGTH, { each: true })
  forums?: string[];

  /** Whether reposts of a story, within seven days, are counted by its first match instead of notified. */
  @IsOptional()
  @IsBoolean()
  fold_duplicates?: boolean;

  /** The trigger: every match, an unusual number or mean sentiment of matches in an hour or day, or a new story. */
  @IsOptional()
  @ValidateNested()
  @Type(() => AlertConditionDto)
  condition?: AlertConditionDto | null;

  @MinRelevance()
  min_relevance?: number | null;

  @Question()
  question?: string | null;

  /** When the channel is notified; `null` for every match at once. */
  @ValidateUnlessNull()
  @ValidateNested()
  @Type(() => AlertDeliveryDto)
  delivery?: AlertDeliveryDto | null;

  @ListenTo()
  listen?: string[];

  @IsChannel()
  channel?: string;

  /** Replaces the whole configuration, except that an omitted `secret` is kept; `null` removes it. */
  @IsOptional()
  @IsObject()
  channel_config?: Record<string, unknown>;

  @IsOptional()
  @IsBoolean()
  is_active?: boolean;
}

/** Formats of an alert's record: only the fields of the interface, or all. */
const ALERT_VIEWS = ['list', 'full'] as const;

export class ViewAlertsDto {
  /** `full` adds `query`, `of`, `listen`, `condition`, `fold_duplicates`, `delivery`, `min_relevance`, `question` and `warnings` to the record. */
  @IsOptional()
  @IsIn(ALERT_VIEWS)
  view?: (typeof ALERT_VIEWS)[number] = 'list';
}

/** How a record is shown. */
export interface AlertFormat extends ViewAlertsDto {
  /** Whether addresses of the channel are masked. */
  masked?: boolean;
}

/** An alert without its channel's configuration, which holds credentials. */
export class AlertSummaryDto {
  id: string;
  name: string;
  keywords: string[];
  forums: string[];
  @ApiProperty(CHANNEL)
  channel: string;
  is_active: boolean;
  last_triggered_at: Date | null;
  trigger_count: number;
  created_at: Date;

  static from(alert: Alert): AlertSummaryDto {
    return {
      id: publicId('alert', alert.id),
      name: alert.name,
      keywords: alert.keywords,
      forums: alert.forums,
      channel: alert.channel,
      is_active: alert.isActive,
      last_triggered_at: alert.lastTriggeredAt,
      trigger_count: alert.triggerCount,
      created_at: alert.createdAt,
    };
  }
}

export class AlertDto {
  id: string;
  name: string;
  keywords: string[];
  forums: string[];
  @ApiProperty(CHANNEL)
  channel: string;
  /** As sent, without `secret`. Addresses are masked for keys without the `write` scope. */
  channel_config: Record<string, unknown>;
  is_active: boolean;
  last_triggered_at: Date | null;
  trigger_count: number;
  created_at: Date;
  /** Null for at once. Only with `view=full`. */
  delivery?: AlertDeliveryDto | null;
  /** Only with `view=full`. */
  query?: string | null;
  /** Only with `view=full`. */
  @ApiProperty({ enum: ALERT_SCOPES, required: false })
  of?: AlertScope;
  /** Sources that the service reads for it. Only with `view=full`. */
  listen?: string[];

  /** Only with `view=full`. */
  fold_duplicates?: boolean;
  /** Only with `view=full`. */
  condition?: AlertConditionDto;
  /** Matches below are not sent; null sends all. Only with `view=full`. */
  min_relevance?: number | null;
  /** What its uncertain matches are read a second time for; null for nothing. Only with `view=full`. */
  question?: string | null;
  /** What keeps the alert from doing what it says. Only with `view=full`. */
  warnings?: AlertWarningDto[];

  static from(
    alert: Alert,
    config: ChannelConfig,
    format: AlertFormat,
    warnings: AlertWarningDto[] = [],
  ): AlertDto {
    const { masked = false, view } = format;
    const shown = masked ? maskConfig(config) : withoutSecrets(config);
    const { id, name, keywords, forums, channel, ...rest } = AlertSummaryDto.from(alert);
    const record = { id, name, keywords, forums, channel, channel_config: shown, ...rest };
    return view === 'full'
      ? {
          ...record,
          query: alert.query,
          of: alert.of,
          listen: alert.listen,
          condition: conditionOf(alert),
          fold_duplicates: alert.foldDuplicates,
          delivery: alert.delivery,
          min_relevance: alert.minRelevance,
          question: alert.question,
          warnings,
        }
      : record;
  }
}
