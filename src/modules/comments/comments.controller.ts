import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { CommentsService } from './comments.service.js';
import { CommentPageDto, ListCommentsDto } from './dto/comment.dto.js';

@Controller('workspaces/:workspace_id/comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @ApiOperation({ summary: 'Search comments', description: 'Newest first.' })
  list(@WorkspaceId() workspaceId: string, @Query() query: ListCommentsDto): Promise<CommentPageDto> {
    return this.comments.list(workspaceId, query);
  }
}
