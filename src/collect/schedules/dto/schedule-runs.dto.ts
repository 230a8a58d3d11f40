import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { publicId } from '../../../common/ids.js';
import { IntegerFromQuery } from '../../../http/parameters/query-transforms.js';
import type { Occurrence, OccurrenceTrigger, SkipReason } from '../occurrence.entity.js';

export class NextRunsQueryDto {
  /** How many due times to return. */
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
  /** `manual` for a run requested through the API. */
  trigger: OccurrenceTrigger;
  /** The job that was created; null if the run was skipped. */
  job_id: string | null;
  /** Why the run was skipped; null if it created a job. */
  skip_reason: SkipReason | null;
  /** The reason as a sentence. */
  detail: string | null;
  /** When a scheduler recorded it. */
  recorded_at: Date;

  static from(occurrence: Occurrence): ScheduleRunDto {
    return {
      schedule_id: publicId('schedule', occurrence.scheduleId),
      due_at: occurrence.dueAt,
      trigger: occurrence.trigger,
      job_id: occurrence.jobId === null ? null : publicId('job', occurrence.jobId),
      skip_reason: occurrence.skipReason,
      detail: occurrence.detail,
      recorded_at: occurrence.recordedAt,
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
  /** Due times, soonest first; for a paused schedule, the times at which it would be due. */
  next_runs: Date[];
}
