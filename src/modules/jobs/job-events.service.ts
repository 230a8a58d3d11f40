import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Observable, type Subscriber } from 'rxjs';
import { Problem } from '../../http/problem.js';
import { JobDto } from './dto/job.dto.js';
import type { Job } from './job.entity.js';
import { JobsRepository } from './jobs.repository.js';

/** One server-sent event. */
export interface JobEvent {
  type: 'progress' | 'end' | 'heartbeat';
  data: JobDto | Record<string, never>;
}

const POLL_MS = 500;
/** Keeps proxies from closing a stream that has nothing to tell. */
const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 200;
const ENDED = new Set<Job['status']>(['completed', 'failed', 'cancelled']);

interface Watch {
  workspaceId: string;
  jobId: string;
  last: string;
  toldAt: number;
  subscriber: Subscriber<JobEvent>;
}

/** Streams of jobs' records. Postgres is asked for every watched job twice a second, however many watch it elsewhere. */
@Injectable()
export class JobEventsService implements OnApplicationShutdown {
  private readonly logger = new Logger(JobEventsService.name);
  private readonly watches = new Set<Watch>();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;

  constructor(private readonly jobs: JobsRepository) {}

  /** The record now and after every change; after the last one an `end`, and the stream closes. */
  watch(job: Job): Observable<JobEvent> {
    if (this.watches.size >= MAX_STREAMS)
      throw new Problem('unavailable', 'This process serves as many event streams as it can', {
        headers: { 'Retry-After': '5' },
      });
    return new Observable((subscriber) => {
      const watch: Watch = {
        workspaceId: job.workspaceId,
        jobId: job.id,
        last: '',
        toldAt: 0,
        subscriber,
      };
      this.watches.add(watch);
      this.timer ??= setInterval(() => void this.poll(), POLL_MS);
      tell(watch, job);
      return () => this.leave(watch);
    });
  }

  onApplicationShutdown(): void {
    for (const watch of this.watches) watch.subscriber.complete();
  }

  private leave(watch: Watch): void {
    this.watches.delete(watch);
    if (this.watches.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      for (const [workspaceId, watches] of this.byWorkspace()) {
        const ids = [...new Set(watches.map((watch) => watch.jobId))];
        const jobs = new Map((await this.jobs.findAll(workspaceId, ids)).map((job) => [job.id, job]));
        for (const watch of watches) {
          const job = jobs.get(watch.jobId);
          if (job) tell(watch, job);
          else watch.subscriber.complete();
        }
      }
    } catch (error) {
      // The streams stay; the next poll tells what was missed.
      this.logger.warn({ err: error }, 'jobs not polled');
    } finally {
      this.isPolling = false;
    }
  }

  private byWorkspace(): Map<string, Watch[]> {
    const grouped = new Map<string, Watch[]>();
    for (const watch of this.watches)
      grouped.set(watch.workspaceId, [...(grouped.get(watch.workspaceId) ?? []), watch]);
    return grouped;
  }
}

function tell(watch: Watch, job: Job): void {
  const record = JobDto.from(job);
  const text = JSON.stringify(record);
  const now = performance.now();
  const ended = ENDED.has(job.status);
  if (text !== watch.last) watch.subscriber.next({ type: ended ? 'end' : 'progress', data: record });
  else if (now - watch.toldAt >= HEARTBEAT_MS) watch.subscriber.next({ type: 'heartbeat', data: {} });
  else return;
  Object.assign(watch, { last: text, toldAt: now });
  if (ended) watch.subscriber.complete();
}
