import { Controller, Get, Query } from '@nestjs/common';
import { WorkspaceId } from '../../common/workspace.decorator.js';
import { CommentsService } from './comments.service.js';
import { CommentPageDto, ListCommentsDto } from './dto/comment.dto.js';

@Controller('workspaces/:workspace_id/comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  list(@WorkspaceId() workspaceId: string, @Query() query: ListCommentsDto): Promise<CommentPageDto> {
    return this.comments.list(workspaceId, query);
  }
}
