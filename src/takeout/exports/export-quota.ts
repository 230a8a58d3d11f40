import { Injectable } from '@nestjs/common';
import type { Problem } from '../../http/problems/problem.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { ExportJobsRepository, MAX_UNFINISHED } from './export-jobs.repository.js';

const RETRY_AFTER_SECONDS = '60';

/**
 * Enforces the quota `media_bytes` on the total size of each workspace's export files. Export files count separately
 * from media, so that a workspace with full media can still export. Each concurrent export may exceed the limit by one
 * part.
 */
@Injectable()
export class ExportQuota {
  constructor(
    private readonly quotas: QuotasService,
    private readonly jobs: ExportJobsRepository,
  ) {}

  /** Throws 403 `quota_exceeded` unless `adding` more bytes fit. */
  enforce(workspaceId: string, adding: number): Promise<void> {
    return enforceFileBytes(this.quotas, workspaceId, adding, {
      used: () => this.jobs.storedBytes(workspaceId),
      remedy: 'Files of exports count apart from media. Delete exports that are not needed.',
    });
  }

  /** 429 for a workspace that has as many unfinished exports as it may. */
  tooManyUnfinished(): Problem {
    return this.quotas.refusal(
      'too_many_concurrent_requests',
      { quota: 'running_exports', limit: MAX_UNFINISHED, used: MAX_UNFINISHED },
      'requested 1. Wait until one of the pending and running exports has ended, then repeat this request.',
      { 'Retry-After': RETRY_AFTER_SECONDS },
    );
  }
}

/** Throws 403 `quota_exceeded` unless `adding` bytes plus the `used` ones are within the quota `media_bytes`. */
export async function enforceFileBytes(
  quotas: QuotasService,
  workspaceId: string,
  requested: number,
  { used: count, remedy }: { used: () => Promise<number>; remedy: string },
): Promise<void> {
  const limit = await quotas.limit(workspaceId, 'media_bytes');
  if (limit === 0) return;
  const used = await count();
  if (used + requested <= limit) return;
  throw quotas.refusal('quota_exceeded', { quota: 'media_bytes', limit, used, requested }, remedy);
}
