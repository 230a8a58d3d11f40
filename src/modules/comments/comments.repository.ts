import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { VersionedCountCache } from '../../database/versioned-count-cache.js';
import { RecordUpsert } from '../../database/record-upsert.js';
import { CommentRecord } from './comment.entity.js';
import { type CommentFilter, countComments, isTallied, selectComments } from './comment-filter.js';

type TalliedRow = CommentRecord & { stamp: string; tallied: number };

@Injectable()
export class CommentsRepository {
  private readonly totals = new VersionedCountCache();

  constructor(@InjectRepository(CommentRecord) private readonly comments: Repository<CommentRecord>) {}

  /** A page, newest first, and the exact total at the moment at which the page was read. */
  async list(
    workspaceId: string,
    filter: CommentFilter,
    page: { limit: number; offset: number },
  ): Promise<{ rows: CommentRecord[]; total: number }> {
    const { text, parameters } = selectComments(workspaceId, filter, page);
    const rows = await this.comments.query<TalliedRow[]>(text, parameters);
    // The driver reads 64-bit integers as text.
    for (const comment of rows) comment.id = Number(comment.id);
    const [row] = rows;
    const seen = row ? { stamp: row.stamp, tallied: isTallied(filter) ? row.tallied : null } : null;
    const total = await this.totals.totalOf(workspaceId, filter, seen, () => this.count(workspaceId, filter));
    return { rows, total };
  }

  private async count(workspaceId: string, filter: CommentFilter): Promise<{ stamp: string; total: number }> {
    const { text, parameters } = countComments(workspaceId, filter);
    const [counted] = await this.comments.query<[{ stamp: string; total: number }]>(text, parameters);
    return counted;
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
