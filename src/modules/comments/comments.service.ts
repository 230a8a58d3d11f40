import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/offset-page.dto.js';
import { type CommentRow, CommentsRepository } from './comments.repository.js';
import type { CommentDto, CommentPageDto, ListCommentsDto } from './dto/comment.dto.js';

@Injectable()
export class CommentsService {
  constructor(private readonly comments: CommentsRepository) {}

  async list(workspaceId: string, query: ListCommentsDto): Promise<CommentPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0, ...filter } = query;
    const { rows, total } = await this.comments.list(workspaceId, filter, { limit, offset });
    return { comments: rows.map(toDto), total, has_more: offset + rows.length < total };
  }
}

function toDto(row: CommentRow): CommentDto {
  return {
    id: Number(row.id),
    comment_id: row.comment_id,
    post_id: row.post_id,
    post_permalink: row.post_permalink,
    parent_id: row.parent_id,
    author: row.author,
    body: row.body,
    score: row.score,
    created_utc: row.created_utc,
    depth: row.depth,
    is_submitter: row.is_submitter,
    sentiment_score: row.sentiment_score,
    sentiment_label: row.sentiment_label,
    scraped_at: row.scraped_at,
  };
}
