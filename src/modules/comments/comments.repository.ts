import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';
import { RecordUpsert } from '../../database/record-upsert.js';
import { CommentRecord } from './comment.entity.js';

export interface CommentFilter {
  post_id?: string;
  author?: string;
  min_score?: number;
  q?: string;
}

@Injectable()
export class CommentsRepository {
  constructor(@InjectRepository(CommentRecord) private readonly comments: Repository<CommentRecord>) {}

  /** Newest first. */
  list(
    workspaceId: string,
    filter: CommentFilter,
    page: { limit: number; offset: number },
  ): Promise<CommentRecord[]> {
    return this.matching(workspaceId, filter)
      .orderBy('comment.created_utc', 'DESC')
      .addOrderBy('comment.id', 'DESC')
      .limit(page.limit)
      .offset(page.offset)
      .getMany();
  }

  /** Exact. */
  count(workspaceId: string, filter: CommentFilter): Promise<number> {
    return this.matching(workspaceId, filter).getCount();
  }

  /** Stores comments of one workspace, each id at most once; known ones take the new values. Returns how many were new. */
  async upsert(
    workspaceId: string,
    records: readonly (Omit<CommentRecord, 'workspace_id'> & { annotations?: Record<string, unknown> })[],
    tx: EntityManager,
  ): Promise<number> {
    return (await UPSERT.run(workspaceId, records, tx)).length;
  }

  private matching(workspaceId: string, filter: CommentFilter): SelectQueryBuilder<CommentRecord> {
    const query = this.comments
      .createQueryBuilder('comment')
      .where('comment.workspace_id = :workspaceId', { workspaceId });
    if (filter.post_id !== undefined)
      query.andWhere('comment.post_id = :post_id', { post_id: filter.post_id });
    if (filter.author !== undefined)
      query.andWhere('lower(comment.author) = lower(:author)', { author: filter.author });
    if (filter.min_score !== undefined)
      query.andWhere('comment.score >= :min_score', { min_score: filter.min_score });
    if (filter.q !== undefined)
      query.andWhere("comment.search @@ websearch_to_tsquery('english', :q)", { q: filter.q });
    return query;
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
