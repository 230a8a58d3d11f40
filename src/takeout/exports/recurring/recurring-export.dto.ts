import { ApiProperty, IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { WEEKDAYS } from '../../../alerts/alert/release-time.js';
import { PlanChangesDto, PlanDto } from '../../../alerts/reports/plan.dto.js';
import { REPORT_PERIODS, type ReportPeriod } from '../../../alerts/reports/report-content.dto.js';
import { publicId } from '../../../common/ids.js';
import { Length } from '../../../http/parameters/text-length.js';
import { CreateExportDto, ExportDto, shownChoices, shownDestination } from '../dto/export-job.dto.js';
import { EXPORT_STATUSES, type ExportStatus } from '../export-job.entity.js';
import type { LastRun, RecurringExport } from './recurring-export.entity.js';

export class CreateRecurringExportDto extends IntersectionType(
  OmitType(CreateExportDto, ['name', 'incremental_from'] as const),
  PlanDto,
) {
  /** Of every run, too. */
  @IsString()
  @Length(1, 200)
  name: string;

  /** Whether each run has only the rows added or changed since the last completed one; the first has all. */
  @IsOptional()
  @IsBoolean()
  only_changes?: boolean = false;
}

export class UpdateRecurringExportDto extends PlanChangesDto {
  /** Of its further runs, too. */
  @IsOptional()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** False pauses it. */
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;
}

/** The run that ended last. Its export may have been deleted. */
export class LastRunDto {
  export_id: string;
  @ApiProperty({ enum: EXPORT_STATUSES })
  status: ExportStatus;
  error_message: string | null;
  completed_at: Date;

  static from({ id, status, errorMessage, completedAt }: LastRun): LastRunDto {
    return {
      export_id: publicId('export', id),
      status,
      error_message: errorMessage,
      completed_at: new Date(completedAt),
    };
  }
}

export class RecurringExportDto extends PickType(ExportDto, [
  'of',
  'format',
  'compression',
  'filters',
  'columns',
  'bom',
  'pseudonymize',
  'destination',
] as const) {
  /** `recurring_…`. */
  id: string;
  name: string;
  only_changes: boolean;
  @ApiProperty({ enum: REPORT_PERIODS })
  every: ReportPeriod;
  at: string;
  @ApiProperty({ enum: WEEKDAYS })
  weekday: (typeof WEEKDAYS)[number];
  timezone: string;
  /** False while it is paused. */
  is_active: boolean;
  /** When the next run is created; null while it is paused. It waits for the end of a run that is unfinished then. */
  next_run_at: Date | null;
  last_run: LastRunDto | null;
  created_at: Date;

  static from(recurring: RecurringExport): RecurringExportDto {
    const { id, name, onlyChanges, every, at, weekday, timezone, isActive, dueAt, lastRun } = recurring;
    return {
      id: publicId('recurringExport', id),
      name,
      ...shownChoices(recurring.choices),
      destination: shownDestination(recurring.destinationUrl),
      only_changes: onlyChanges,
      ...{ every, at, weekday, timezone },
      is_active: isActive,
      next_run_at: isActive ? dueAt : null,
      last_run: lastRun && LastRunDto.from(lastRun),
      created_at: recurring.createdAt,
    };
  }
}
