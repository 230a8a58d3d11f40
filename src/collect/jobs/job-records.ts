import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { JobDto } from './dto/job.dto.js';
import type { Job } from './job.entity.js';
import type { WaitingForDto } from './dto/job-progress.dto.js';
import { JobTurnsRepository, type TurnPositions } from './job-turns.repository.js';
import { JobWorkersRepository, type WorkersState } from './job-workers.repository.js';

/** A pending job shows the cause of its wait after this time; most jobs start sooner. */
const SHOWN_AFTER_MS = 1_000;
/** Maximum age of the cached state of the workers. */
const WORKERS_READ_EVERY_MS = 1_000;

/**
 * Builds the records of jobs. A job that no worker is executing shows the cause of its wait. Needs at most two queries for
 * any number of jobs.
 */
@Injectable()
export class JobRecords {
  private workers: { readAt: number; state: Promise<WorkersState> } | null = null;

  constructor(
    private readonly workersRepository: JobWorkersRepository,
    private readonly turns: JobTurnsRepository,
    private readonly clock: Clock,
  ) {}

  /** The records of a workspace's jobs, in the same order. */
  async describe(workspaceId: string, jobs: readonly Job[]): Promise<JobDto[]> {
    const now = this.clock.now();
    const startedBefore = now.getTime() - SHOWN_AFTER_MS;
    const isWaiting = (job: Job): boolean =>
      job.status === 'pending' && job.createdAt.getTime() < startedBefore;
    const waiting = jobs.some(isWaiting);
    if (!waiting && !jobs.some((job) => job.status === 'running')) return jobs.map((job) => JobDto.from(job));
    const [workers, positions] = await Promise.all([
      this.workersState(),
      waiting ? this.turns.positions(workspaceId) : null,
    ]);
    return jobs.map((job) => {
      if (isWaiting(job)) return JobDto.from(job, waitOf(job, workers, positions!));
      return JobDto.from(job, job.status === 'running' && workers === 'none' ? WORKER_GONE : undefined, now);
    });
  }

  private workersState(): Promise<WorkersState> {
    const now = performance.now();
    if (this.workers === null || now - this.workers.readAt >= WORKERS_READ_EVERY_MS) {
      const state = this.workersRepository.state();
      this.workers = { readAt: now, state };
      state.catch(() => (this.workers = null));
    }
    return this.workers.state;
  }
}

const NO_WORKER: WaitingForDto = { reason: 'worker', until: null, cause: 'No worker is running' };
const CLAIMS_FAIL: WaitingForDto = {
  reason: 'claims',
  until: null,
  cause: 'Workers are running, but fail to take jobs from the database',
};
const WORKER_GONE: WaitingForDto = {
  reason: 'worker',
  until: null,
  cause:
    'The worker of the job is gone; the job continues from its last batch when a worker is running again',
};

function waitOf(job: Job, workers: WorkersState, turns: TurnPositions): WaitingForDto {
  if (workers === 'none') return NO_WORKER;
  return workers === 'failing' ? CLAIMS_FAIL : waitingForTurn(job, turns);
}

function waitingForTurn(job: Job, { positions, running }: TurnPositions): WaitingForDto {
  const position = positions.get(job.id);
  // The job has started since it was read, or more jobs are pending than are counted.
  if (position === undefined) return { reason: 'turn', until: null, cause: 'Other jobs start first' };
  const cause =
    position > 1
      ? `${position - 1} ${position === 2 ? 'job' : 'jobs'} of this workspace will start first; ${running} ${running === 1 ? 'is' : 'are'} running`
      : running > 0
        ? `Next job of this workspace, which has ${running} running; workspaces take turns`
        : 'Next job of this workspace; all workers are busy, and workspaces take turns';
  return { reason: 'turn', until: null, cause, position };
}
