import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { MediaFile } from './media-file.entity.js';
import { MediaRepository } from './media.repository.js';
import { MediaRefused } from './media-store.js';

/** Enforces the quota `media_bytes` on each workspace's media files. */
@Injectable()
export class MediaQuota {
  constructor(
    private readonly quotas: QuotasService,
    private readonly media: MediaRepository,
  ) {
    quotas.register('media_bytes', (workspaceId) => media.totalBytes(workspaceId));
  }

  /** Remaining bytes, `Infinity` without a limit. Throws {@link MediaRefused} when none remain. */
  async remaining(workspaceId: string): Promise<number> {
    const limit = await this.quotas.limit(workspaceId, 'media_bytes');
    if (limit === 0) return Infinity;
    const used = await this.media.totalBytes(workspaceId);
    if (used >= limit) throw this.refusal(limit, used);
    return limit - used;
  }

  /** The error for a file larger than the remaining quota. */
  async tooLarge(workspaceId: string): Promise<MediaRefused> {
    const limit = await this.quotas.limit(workspaceId, 'media_bytes');
    return this.refusal(limit, await this.media.totalBytes(workspaceId));
  }

  /**
   * Records a file; does nothing when the post already has one from this address. Throws {@link MediaRefused} when the
   * workspace's files would exceed the quota; the transaction must then be rolled back. Concurrent inserts for one
   * workspace wait for each other.
   */
  async insert(workspaceId: string, file: MediaFile, tx: EntityManager): Promise<void> {
    const limit = await this.quotas.limit(workspaceId, 'media_bytes');
    const used = await this.media.insert(workspaceId, file, tx);
    if (used !== null && limit !== 0 && used > limit) throw this.refusal(limit, used - file.size);
  }

  private refusal(limit: number, used: number): MediaRefused {
    const { detail } = this.quotas.refusal(
      'quota_exceeded',
      { quota: 'media_bytes', limit, used },
      'Ask the operator for a higher limit.',
    );
    return new MediaRefused(detail);
  }
}
