import { PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { CreateJobDto } from '../../jobs/dto/create-job.dto.js';
import { SCRAPE_MODES, type ScrapeMode } from '../../jobs/job.entity.js';
import { IsCronExpression } from './cron-expression.decorator.js';
import { IsScheduleConfig, ScheduleConfigDto } from './schedule-config.dto.js';

export class CreateScheduleDto extends PickType(CreateJobDto, ['target', 'target_type'] as const) {
  /** The default reads listings of all periods in each run; `monitor` reads new posts and current scores only. */
  @IsOptional()
  @IsIn(SCRAPE_MODES)
  mode?: ScrapeMode = 'history';

  /**
   * Minute, hour, day of month, month and day of week, or a shortcut such as `@hourly`. In UTC unless
   * `config.timezone` names another zone.
   */
  @IsCronExpression()
  cron_expression: string;

  @IsScheduleConfig()
  config?: ScheduleConfigDto;
}

export class UpdateScheduleDto {
  /** False pauses the schedule; true resumes it from the next due time. */
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;

  @IsOptional()
  @IsCronExpression()
  cron_expression?: string;

  @IsOptional()
  @IsIn(SCRAPE_MODES)
  mode?: ScrapeMode;

  /** Replaces the whole config. */
  @IsScheduleConfig()
  config?: ScheduleConfigDto;
}
