import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { isTimeZone } from '../../common/time-zone.js';
import { type DeliveryPlan, LOCAL_TIME, PERIODS, WEEKDAYS } from './release-time.js';

/** A name of the IANA database of time zones. */
export const IsTimeZoneName = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTimeZoneName',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && isTimeZone(value),
      defaultMessage: () => 'timezone must be a name of the IANA database, such as Europe/Berlin',
    },
  });

/** A local time, `HH:MM`. */
export const IsLocalTime = (): PropertyDecorator =>
  Matches(LOCAL_TIME, { message: '$property must be a time such as 08:00' });

/** Hours in which nothing is sent; they may pass midnight. */
export class QuietHoursDto {
  @IsString()
  @IsLocalTime()
  from: string;

  @IsString()
  @IsLocalTime()
  @ValidateBy({
    name: 'isAnotherTime',
    validator: {
      validate: (to, context) => to !== (context?.object as QuietHoursDto).from,
      defaultMessage: () =>
        '$property must differ from `from`. To hold back all notifications, set a digest with `every`; for no quiet hours, send `quiet: null`',
    },
  })
  to: string;
}

export class AlertDeliveryDto {
  /** `match` notifies of every batch with matches at once; otherwise one digest is sent for each period with matches. */
  @IsOptional()
  @IsIn(PERIODS)
  every?: (typeof PERIODS)[number] = 'match';

  /** Local time of a daily or weekly digest. */
  @IsOptional()
  @IsString()
  @IsLocalTime()
  at?: string = '08:00';

  /** Day of a weekly digest. */
  @IsOptional()
  @IsIn(WEEKDAYS)
  weekday?: (typeof WEEKDAYS)[number] = 'monday';

  /** Name of the IANA database. */
  @IsOptional()
  @IsTimeZoneName()
  timezone?: string = 'UTC';

  @IsOptional()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  quiet?: QuietHoursDto | null;

  /** Further notifications of an hour are sent together when the next one begins. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(1_000)
  max_per_hour?: number | null;
}

/** The plan of a request, with defaults; null without one, which means at once. */
export function planOf(delivery: AlertDeliveryDto | null | undefined): DeliveryPlan | null {
  if (delivery == null) return null;
  return {
    every: delivery.every ?? 'match',
    at: delivery.at ?? '08:00',
    weekday: delivery.weekday ?? 'monday',
    timezone: delivery.timezone ?? 'UTC',
    quiet: delivery.quiet ?? null,
    max_per_hour: delivery.max_per_hour ?? null,
  };
}
