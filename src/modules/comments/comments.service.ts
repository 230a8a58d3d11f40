import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/offset-page.dto.js';
import { CommentsRepository } from './comments.repository.js';
import { type CommentPageDto, type ListCommentsDto, toCommentDto } from './dto/comment.dto.js';

@Injectable()
export class CommentsService {
  constructor(private readonly comments: CommentsRepository) {}

  async list(workspaceId: string, query: ListCommentsDto): Promise<CommentPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0, ...filter } = query;
    const { rows, total } = await this.comments.list(workspaceId, filter, { limit, offset });
    return { comments: rows.map(toCommentDto), total, has_more: offset + rows.length < total };
  }
}
