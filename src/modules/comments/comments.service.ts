import { Injectable } from '@nestjs/common';
import type { CommentRecord } from './comment.entity.js';
import { CommentsRepository } from './comments.repository.js';
import type { CommentDto, CommentPageDto, ListCommentsDto } from './dto/comment.dto.js';

const DEFAULT_LIMIT = 50;

@Injectable()
export class CommentsService {
  constructor(private readonly comments: CommentsRepository) {}

  async list(workspaceId: string, query: ListCommentsDto): Promise<CommentPageDto> {
    const { limit = DEFAULT_LIMIT, offset = 0, ...filter } = query;
    const [rows, total] = await Promise.all([
      this.comments.list(workspaceId, filter, { limit, offset }),
      this.comments.count(workspaceId, filter),
    ]);
    return { comments: rows.map(toDto), total, has_more: offset + rows.length < total };
  }
}

function toDto({ workspace_id: _, ...comment }: CommentRecord): CommentDto {
  return comment;
}
