import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { type EventStream, EventStreams } from '../../http/files/event-streams.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
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

interface WatchedJob {
  jobId: string;
  /** The record sent last, as JSON. */
  lastRecord: string;
}

/** Streams job records. Each process polls the jobs it streams four times a second, with one query per workspace. */
@Injectable()
export class JobEventsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(JobEventsService.name);
  private readonly streams: EventStreams<JobEvent, WatchedJob>;

  constructor(
    private readonly jobs: JobsRepository,
    private readonly records: JobRecords,
    inactive: InactiveWorkspaces,
  ) {
    this.streams = new EventStreams({
      pollMs: POLL_MS,
      read: (workspaceId, streams) => this.read(workspaceId, streams),
      heartbeat: () => ({ type: 'heartbeat', data: {} }),
      isInactive: (workspaceId) => inactive.has(workspaceId),
      onError: (error) => this.logger.warn({ err: error }, 'job polling failed'),
    });
  }

  /**
   * Emits the record now and after every change, then `end` with the final record, and completes. Completes without
   * `end` when the workspace is suspended, the job is deleted, or `isStillAllowed`, which is called every five seconds,
   * returns false. @throws Problem 503
   */
  watch(job: Job, isStillAllowed: () => Promise<boolean>): Observable<JobEvent> {
    const watched = { jobId: job.id, lastRecord: '' };
    return this.streams.open(job.workspaceId, watched, isStillAllowed, (stream) =>
      send(stream, JobDto.from(job)),
    );
  }

  beforeApplicationShutdown(): void {
    this.streams.endAll();
  }

  private async read(
    workspaceId: string,
    streams: readonly EventStream<JobEvent, WatchedJob>[],
  ): Promise<boolean> {
    const ids = [...new Set(streams.map(({ state }) => state.jobId))];
    const jobs = await this.jobs.findAll(workspaceId, ids);
    const described = await this.records.describe(workspaceId, jobs);
    const records = new Map(described.map((record, index) => [jobs[index]!.id, record]));
    for (const stream of streams) {
      const record = records.get(stream.state.jobId);
      if (record) send(stream, record);
      else stream.end();
    }
    return false;
  }
}

/** Emits the record if it has changed. Completes the stream of an ended job. */
function send(stream: EventStream<JobEvent, WatchedJob>, record: JobDto): void {
  const text = JSON.stringify(record);
  const hasEnded = FINAL_JOB_STATUSES.includes(record.status);
  if (text !== stream.state.lastRecord) stream.send({ type: hasEnded ? 'end' : 'progress', data: record });
  stream.state.lastRecord = text;
  if (hasEnded) stream.end();
}
