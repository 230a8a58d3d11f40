import type { Job } from '../jobs/job.entity.js';
import { newJob } from '../jobs/jobs.service.js';
import type { Schedule } from './schedule.entity.js';

/** Creates a pending job of a schedule; it contains the schedule's `config`. */
export function scheduledJob(schedule: Schedule, now: Date): Job {
  const { limit, download_media, scrape_comments, plugins } = schedule.config;
  return newJob(
    schedule.workspaceId,
    {
      target: schedule.target,
      target_type: schedule.targetType,
      mode: schedule.mode,
      limit,
      download_media,
      scrape_comments,
      plugins,
      config: schedule.config,
      scheduleId: schedule.id,
    },
    now,
  );
}
