import { type Clock, SystemClock } from '../../src/common/clock.js';
import { PluginRunner } from '../../src/enrichment/plugins/plugin-runner.js';
import type { Job } from '../../src/collect/jobs/job.entity.js';
import { JobExecution, type Lease } from '../../src/collect/scraping/job-execution.js';

/** A running job, otherwise as `newJob` creates it. */
export function aJob(changes: Partial<Job> = {}): Job {
  return {
    workspaceId: 'w',
    id: 'j',
    target: 'technology',
    targetType: 'forum',
    mode: 'full',
    config: {},
    postLimit: 100,
    downloadMedia: true,
    scrapeComments: true,
    plugins: [],
    scheduleId: null,
    status: 'running',
    startedAt: new Date(0),
    completedAt: null,
    postsScraped: 0,
    commentsScraped: 0,
    mediaDownloaded: 0,
    errorCode: null,
    errorMessage: null,
    progress: {},
    createdAt: new Date(0),
    ...changes,
  };
}

/** An execution of a job that was just claimed. */
export function anExecution(
  job: Partial<Job> = {},
  lease: Partial<Lease> = {},
  clock: Clock = new SystemClock(),
): JobExecution {
  const claimed = {
    ...{ owner: 'spec', attempts: 1, workerDeaths: 0, checkpoint: null, keywordsVersion: 0 },
    claimedAt: new Date(),
  };
  return new JobExecution(aJob(job), { ...claimed, ...lease }, new PluginRunner(), clock);
}
