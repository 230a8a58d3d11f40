import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { SpikeDto } from '../../content/analytics/dto/spikes.dto.js';
import type { SpikeDirection, SpikeMeasure } from '../../content/analytics/spike-detector.js';
import { SPIKE_INTERVALS, type SpikeInterval } from '../../content/analytics/spike-series.js';
import type { Alert } from './alert.entity.js';
import type { KnownStories } from './known-stories.js';
import type { SpikeSettings } from './spike-settings.js';

/** What triggers an alert. */
export const TRIGGERS = ['match', 'story', 'spike'] as const;
/** What alerts on spikes measure, and in which direction. */
export const MEASURES = ['count', 'mean_sentiment'] as const satisfies readonly SpikeMeasure[];
export const DIRECTIONS = ['up', 'down', 'both'] as const satisfies readonly SpikeDirection[];

export class AlertConditionDto {
  /**
   * `match`: every new match. `spike`: an unusual hour or day of the matches; the other fields define "unusual".
   * `story`: three or more matches about the same event or subject, once a story; the other fields mean nothing.
   */
  @IsOptional()
  @IsIn(TRIGGERS)
  kind?: (typeof TRIGGERS)[number] = 'match';

  /** The value that is measured in each bucket. */
  @IsOptional()
  @IsIn(MEASURES)
  measure?: SpikeMeasure = 'count';

  /** Length of the buckets, in the time zone of `delivery`. */
  @IsOptional()
  @IsIn(SPIKE_INTERVALS)
  interval?: SpikeInterval = 'hour';

  /** Which deviations trigger the alert. */
  @IsOptional()
  @IsIn(DIRECTIONS)
  direction?: SpikeDirection = 'up';
}

/** The hour or day that triggered an alert on spikes. */
export class AlertSpikeDto extends SpikeDto {
  @ApiProperty({ enum: MEASURES })
  measure: SpikeMeasure;
  @ApiProperty({ enum: SPIKE_INTERVALS })
  interval: SpikeInterval;
  @ApiProperty({ enum: DIRECTIONS })
  direction: SpikeDirection;
  /** In [-1, 1]; null without matches. */
  @ApiProperty({ type: Number, nullable: true })
  mean_sentiment: number | null;
}

/** The spike condition of a request, with defaults; null for another kind. */
export function spikeOf(condition: AlertConditionDto | null | undefined): SpikeSettings | null {
  if (condition?.kind !== 'spike') return null;
  const { measure, interval, direction } = condition;
  return { measure: measure ?? 'count', interval: interval ?? 'hour', direction: direction ?? 'up' };
}

/** The state of an alert on stories that begins with a request; null for another kind. */
export const storyOf = (condition: AlertConditionDto | null | undefined): KnownStories | null =>
  condition?.kind === 'story' ? { known: null } : null;

/** A stored condition as it is shown. */
export function conditionOf({ spike, story }: Pick<Alert, 'spike' | 'story'>): AlertConditionDto {
  if (story !== null) return { kind: 'story' };
  return spike === null ? { kind: 'match' } : { kind: 'spike', ...spike };
}
