import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { parseId } from '../../common/ids.js';
import type { AuthenticatedRequest } from '../../http/request.js';
import type { Job } from './job.entity.js';
import { JobsRepository } from './jobs.repository.js';

type JobRequest = AuthenticatedRequest & { job?: Job | null };

/**
 * Reads the job of the path before the handler runs and refuses nothing. The framework sends the head of an event stream
 * as soon as a handler waits for input or output, so a handler that reads the job itself cannot answer with a problem.
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

/** The job that {@link ReadJob} found; null when the workspace has none with the id of the path. */
export const FoundJob = createParamDecorator(
  (_: unknown, context: ExecutionContext): Job | null =>
    context.switchToHttp().getRequest<JobRequest>().job ?? null,
);
