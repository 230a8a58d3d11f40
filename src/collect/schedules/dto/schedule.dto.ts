import { publicId } from '../../../common/ids.js';
import type { TargetType } from '../../../platforms/platform.js';
import type { ScrapeMode } from '../../jobs/job.entity.js';
import type { Schedule } from '../schedule.entity.js';

export class ScheduleDto {
  id: string;
  workspace_id: string;
  /** Forum name or username. */
  target: string;
  target_type: TargetType;
  mode: ScrapeMode;
  config: Record<string, unknown>;
  cron_expression: string;
  is_active: boolean;
  /** When it last created a job. */
  last_run_at: Date | null;
  /** For a paused schedule: the due time that was next when it was paused. */
  next_run_at: Date;
  /** Number of jobs created. */
  run_count: number;
  created_at: Date;

  static from(schedule: Schedule): ScheduleDto {
    return {
      id: publicId('schedule', schedule.id),
      workspace_id: publicId('workspace', schedule.workspaceId),
      target: schedule.target,
      target_type: schedule.targetType,
      mode: schedule.mode,
      config: schedule.config,
      cron_expression: schedule.cronExpression,
      is_active: schedule.isActive,
      last_run_at: schedule.lastRunAt,
      next_run_at: schedule.nextRunAt,
      run_count: schedule.runCount,
      created_at: schedule.createdAt,
    };
  }
}

export class UpdatedScheduleDto {
  id: string;
  target: string;
  is_active: boolean;
  cron_expression: string;
  run_count: number;

  static from(schedule: Schedule): UpdatedScheduleDto {
    return {
      id: publicId('schedule', schedule.id),
      target: schedule.target,
      is_active: schedule.isActive,
      cron_expression: schedule.cronExpression,
      run_count: schedule.runCount,
    };
  }
}
