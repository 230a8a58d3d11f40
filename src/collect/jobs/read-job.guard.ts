import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { parseId } from '../../common/ids.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import type { Job } from './job.entity.js';
import { JobsRepository } from './jobs.repository.js';

type JobRequest = AuthenticatedRequest & { job?: Job | null };

/**
 * Reads the job of the path before the handler runs; never rejects a request. The framework sends the response head of
 * an event stream as soon as a handler waits for I/O, so a handler that reads the job itself could no longer respond
 * with a problem.
 */
@Injectable()
export class ReadJob implements CanActivate {
  constructor(private readonly jobs: JobsRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<JobRequest>();
    const id = parseId('job', String(request.params.job_id));
    request.job = id === null ? null : await this.jobs.find(request.caller.workspaceId, id);
    return true;
  }
}

/** The job that {@link ReadJob} found; null when the workspace has no job with this id. */
export const FoundJob = createParamDecorator(
  (_: unknown, context: ExecutionContext): Job | null =>
    context.switchToHttp().getRequest<JobRequest>().job ?? null,
);
