import { IsIn, IsOptional, IsString } from 'class-validator';
import { IsLocalTime, IsTimeZoneName } from '../alert/alert-delivery.dto.js';
import { WEEKDAYS } from '../alert/release-time.js';
import { REPORT_PERIODS, type ReportPeriod } from './report-content.dto.js';

/** The plan of a new report or export that repeats. */
export class PlanDto {
  /** The period, from local midnight to local midnight: a day, a week that ends on `weekday`, or a month of the calendar. */
  @IsOptional()
  @IsIn(REPORT_PERIODS)
  every?: ReportPeriod = 'week';

  /** Local time at which it is sent or run on the day after the period. */
  @IsOptional()
  @IsString()
  @IsLocalTime()
  at?: string = '08:00';

  /** Day on which a weekly one is sent or run. */
  @IsOptional()
  @IsIn(WEEKDAYS)
  weekday?: (typeof WEEKDAYS)[number] = 'monday';

  /** Name of the IANA database. */
  @IsOptional()
  @IsTimeZoneName()
  timezone?: string = 'UTC';
}

/** Changes of such a plan; the fields of {@link PlanDto} without its defaults. */
export class PlanChangesDto {
  /** The period, from local midnight to local midnight: a day, a week that ends on `weekday`, or a month of the calendar. */
  @IsOptional()
  @IsIn(REPORT_PERIODS)
  every?: ReportPeriod;

  /** Local time at which it is sent or run on the day after the period. */
  @IsOptional()
  @IsString()
  @IsLocalTime()
  at?: string;

  /** Day on which a weekly one is sent or run. */
  @IsOptional()
  @IsIn(WEEKDAYS)
  weekday?: (typeof WEEKDAYS)[number];

  /** Name of the IANA database. */
  @IsOptional()
  @IsTimeZoneName()
  timezone?: string;
}
