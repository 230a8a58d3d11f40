import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { IntegerFromQuery } from '../../../http/query-transforms.js';
import type { RunTrigger, ScheduleRun, SkipReason } from '../schedule-run.entity.js';

export class NextRunsQueryDto {
  /** How many due times to show. */
  @IsOptional()
  @IntegerFromQuery()
  @IsInt()
  @Min(1)
  @Max(100)
  count?: number = 5;
}

export class ScheduleRunDto {
  schedule_id: string;
  due_at: Date;
  /** `manual` for a run that was asked for through the API. */
  trigger: RunTrigger;
  /** The job it made; null when it was skipped. */
  job_id: string | null;
  /** Why it made no job; null when it made one. */
  skip_reason: SkipReason | null;
  /** The reason as a sentence. */
  detail: string | null;
  /** When a scheduler got to it. */
  recorded_at: Date;

  static from(run: ScheduleRun): ScheduleRunDto {
    return {
      schedule_id: publicId('schedule', run.scheduleId),
      due_at: run.dueAt,
      trigger: run.trigger,
      job_id: run.jobId === null ? null : publicId('job', run.jobId),
      skip_reason: run.skipReason,
      detail: run.detail,
      recorded_at: run.recordedAt,
    };
  }
}

export class ScheduleRunPageDto {
  /** Newest first. */
  runs: ScheduleRunDto[];
  total: number;
  has_more: boolean;
}

export class NextRunsDto {
  schedule_id: string;
  /** Due times in order; what would be due, when the schedule is paused. */
  next_runs: Date[];
}
