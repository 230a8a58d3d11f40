import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { groupBy } from '../../common/collections.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { Problem } from '../../http/problem.js';
import { InactiveWorkspaces } from '../workspaces/inactive-workspaces.js';
import { JobDto } from './dto/job.dto.js';
import { FINAL_JOB_STATUSES, type Job } from './job.entity.js';
import { JobRecords } from './job-records.js';
import { JobsRepository } from './jobs.repository.js';

/** One server-sent event. */
export interface JobEvent {
  type: 'progress' | 'end' | 'heartbeat';
  data: JobDto | Record<string, never>;
}

const POLL_MS = 250;
/** Interval of heartbeats, which keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;
/** Above what the quotas of ten workspaces allow, so that a few cannot use up a process. */
const MAX_STREAMS = 1_000;
/** Interval at which the key and session of each stream are checked again. */
const CHECK_MS = 5_000;

interface Watch {
  workspaceId: string;
  jobId: string;
  /** The record sent last, as JSON. */
  lastRecord: string;
  lastSentAt: number;
  isStillAllowed: () => Promise<boolean>;
  checkedAt: number;
  subscriber: Subscriber<JobEvent>;
}

/** Streams job records. Each process polls the jobs it streams four times a second, with one query per workspace. */
@Injectable()
export class JobEventsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobEventsService.name);
  private readonly watches = new Set<Watch>();
  /** Polls while there are streams. */
  private loop: PollingLoop | null = null;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly records: JobRecords,
    private readonly inactive: InactiveWorkspaces,
  ) {}

  /**
   * Emits the record now and after every change, then `end` with the final record, and completes. Completes without
   * `end` when the workspace is suspended, the job is deleted, or `isStillAllowed`, which is called every five seconds,
   * returns false. @throws Problem 503
   */
  watch(job: Job, isStillAllowed: () => Promise<boolean>): Observable<JobEvent> {
    if (this.watches.size >= MAX_STREAMS)
      throw new Problem(
        'unavailable',
        `This process already serves its maximum of ${MAX_STREAMS} event streams. Try again later.`,
        {
          headers: { 'Retry-After': '5' },
        },
      );
    return new Observable((subscriber) => {
      const watch: Watch = {
        workspaceId: job.workspaceId,
        jobId: job.id,
        lastRecord: '',
        lastSentAt: 0,
        isStillAllowed,
        checkedAt: performance.now(),
        subscriber,
      };
      this.watches.add(watch);
      this.loop ??= new PollingLoop(
        () => this.poll(),
        POLL_MS,
        // Keep the streams open; the next poll sends what this one missed.
        (error) => this.logger.warn({ err: error }, 'job polling failed'),
      );
      this.loop.wake();
      send(watch, JobDto.from(job));
      return () => this.remove(watch);
    });
  }

  /** Ends all streams before the HTTP server closes, because it waits for open responses. */
  beforeApplicationShutdown(): void {
    for (const watch of this.watches) watch.subscriber.complete();
  }

  private remove(watch: Watch): void {
    this.watches.delete(watch);
    if (this.watches.size > 0) return;
    void this.loop?.stop();
    this.loop = null;
  }

  private async poll(): Promise<boolean> {
    for (const [workspaceId, watches] of groupBy(this.watches, (watch) => watch.workspaceId)) {
      if (this.inactive.has(workspaceId)) {
        for (const { subscriber } of watches) subscriber.complete();
        continue;
      }
      const ids = [...new Set(watches.map((watch) => watch.jobId))];
      const jobs = await this.jobs.findAll(workspaceId, ids);
      const described = await this.records.describe(workspaceId, jobs);
      const records = new Map(described.map((record, index) => [jobs[index]!.id, record]));
      for (const watch of watches) {
        if (!(await isAllowed(watch))) {
          watch.subscriber.complete();
          continue;
        }
        const record = records.get(watch.jobId);
        if (record) send(watch, record);
        else watch.subscriber.complete();
      }
    }
    return false;
  }
}

async function isAllowed(watch: Watch): Promise<boolean> {
  const now = performance.now();
  if (now - watch.checkedAt < CHECK_MS) return true;
  watch.checkedAt = now;
  return watch.isStillAllowed();
}

/** Emits the record if it has changed, or a heartbeat if one is due. Completes the stream of an ended job. */
function send(watch: Watch, record: JobDto): void {
  const text = JSON.stringify(record);
  const now = performance.now();
  const hasEnded = FINAL_JOB_STATUSES.includes(record.status);
  if (text !== watch.lastRecord) watch.subscriber.next({ type: hasEnded ? 'end' : 'progress', data: record });
  else if (now - watch.lastSentAt >= HEARTBEAT_MS) watch.subscriber.next({ type: 'heartbeat', data: {} });
  else return;
  Object.assign(watch, { lastRecord: text, lastSentAt: now });
  if (hasEnded) watch.subscriber.complete();
}
