import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { VersionedCount } from '../../database/count-deltas.js';
import { VersionedCountCache } from '../../database/versioned-count-cache.js';
import { RecordUpsert } from '../../database/record-upsert.js';
import { CommentRecord } from './comment.entity.js';
import { type CommentFilter, countComments, isCountedByDeltas, selectComments } from './comment-filter.js';

@Injectable()
export class CommentsRepository {
  private readonly counts = new VersionedCountCache();

  constructor(@InjectRepository(CommentRecord) private readonly comments: Repository<CommentRecord>) {}

  /** A page, newest first, and the exact total at the moment at which the page was read. */
  async list(
    workspaceId: string,
    filter: CommentFilter,
    page: { limit: number; offset: number },
  ): Promise<{ rows: CommentRecord[]; total: number }> {
    const { text, parameters } = selectComments(workspaceId, filter, page);
    const rows = await this.comments.query<(CommentRecord & VersionedCount)[]>(text, parameters);
    // The driver reads 64-bit integers as text.
    for (const comment of rows) comment.id = Number(comment.id);
    return { rows, total: await this.total(workspaceId, filter, rows[0]) };
  }

  /** The total of a filter, counted only when neither `deltas` nor the cache hold it. */
  private async total(workspaceId: string, filter: CommentFilter, deltas?: VersionedCount): Promise<number> {
    if (deltas && isCountedByDeltas(filter)) return deltas.total;
    const cached = deltas ? this.counts.get(workspaceId, filter, deltas.revision) : null;
    if (cached !== null) return cached;
    const { text, parameters } = countComments(workspaceId, filter);
    const [count] = await this.comments.query<[VersionedCount]>(text, parameters);
    this.counts.set(workspaceId, filter, count);
    return count.total;
  }

  /** Stores comments of one workspace, each id at most once; known ones take the new values. Returns how many were new. */
  async upsert(
    workspaceId: string,
    records: readonly Omit<CommentRecord, 'workspaceId'>[],
    tx: EntityManager,
  ): Promise<number> {
    return (await UPSERT.run(workspaceId, records, tx)).length;
  }
}

const UPSERT = new RecordUpsert(CommentRecord);
