import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { VersionedCountCache } from '../../database/versioned-count-cache.js';
import { RecordUpsert } from '../../database/record-upsert.js';
import { CommentRecord } from './comment.entity.js';
import { type CommentFilter, countComments, isTallied, selectComments } from './comment-filter.js';

/** A comment as the database writes it: numbers of 64 bits are text. */
export type CommentRow = Omit<CommentRecord, 'workspace_id' | 'id'> & { id: string };
type TalliedRow = CommentRow & { stamp: string; tallied: number };

@Injectable()
export class CommentsRepository {
  private readonly totals = new VersionedCountCache();

  constructor(@InjectRepository(CommentRecord) private readonly comments: Repository<CommentRecord>) {}

  /** A page, newest first, and the exact total at the moment at which the page was read. */
  async list(
    workspaceId: string,
    filter: CommentFilter,
    page: { limit: number; offset: number },
  ): Promise<{ rows: CommentRow[]; total: number }> {
    const { text, parameters } = selectComments(workspaceId, filter, page);
    const rows = await this.comments.query<TalliedRow[]>(text, parameters);
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
    records: readonly (Omit<CommentRecord, 'workspace_id'> & { annotations?: Record<string, unknown> })[],
    tx: EntityManager,
  ): Promise<number> {
    return (await UPSERT.run(workspaceId, records, tx)).length;
  }
}

const UPSERT = new RecordUpsert<Omit<CommentRecord, 'workspace_id'>>('comments', [
  ['id', 'bigint'],
  ['comment_id', 'text'],
  ['post_id', 'text'],
  ['post_permalink', 'text'],
  ['parent_id', 'text'],
  ['author', 'text'],
  ['body', 'text'],
  ['score', 'integer'],
  ['created_utc', 'timestamptz'],
  ['depth', 'integer'],
  ['is_submitter', 'boolean'],
  ['sentiment_score', 'double precision'],
  ['sentiment_label', 'text'],
  ['scraped_at', 'timestamptz'],
]);
