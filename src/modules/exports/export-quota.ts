import { Injectable } from '@nestjs/common';
import { QuotasService } from '../usage/quotas.service.js';
import { ExportJobsRepository } from './export-jobs.repository.js';

/**
 * Keeps the files of each workspace's exports together within the limit of its quota `media_bytes`. They count apart from its
 * media, so that full media leave room for an export; concurrent exports may exceed the limit by a part each.
 */
@Injectable()
export class ExportQuota {
  constructor(
    private readonly quotas: QuotasService,
    private readonly jobs: ExportJobsRepository,
  ) {}

  /** Throws 403 `quota_exceeded` unless `adding` bytes more fit. */
  async enforce(workspaceId: string, adding: number): Promise<void> {
    const limit = await this.quotas.limit(workspaceId, 'media_bytes');
    if (limit === 0) return;
    const used = await this.jobs.storedBytes(workspaceId);
    if (used + adding <= limit) return;
    throw this.quotas.refusal(
      'quota_exceeded',
      { quota: 'media_bytes', limit, used, requested: adding },
      'Files of exports count apart from media. Delete exports that are not needed.',
    );
  }
}
