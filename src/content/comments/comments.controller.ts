import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Patch } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CommentsService } from './comments.service.js';
import { CorrectSentimentDto } from '../sentiment/correct-sentiment.dto.js';
import { RecordViewDto } from '../../search/dto/full-view.dto.js';
import { CommentPageDto, CommentViewDto, ListCommentsDto } from './dto/comment.dto.js';

@Controller('workspaces/:workspace_id/comments')
export class CommentsController {
  constructor(private readonly comments: CommentsService) {}

  @Get()
  @ApiOperation({
    summary: 'Search comments',
    description:
      'Newest first by default. For cursor-based paging, send `cursor`, empty for the first page. The response then contains the `cursor` of the next page.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  list(@WorkspaceId() workspaceId: string, @Query() query: ListCommentsDto): Promise<CommentPageDto> {
    return this.comments.list(workspaceId, query);
  }

  @Get(':comment_id')
  @ApiOperation({ summary: 'Get a comment', description: 'The record of a stored comment, by platform id.' })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: RecordViewDto,
    @Param('comment_id') id: string,
  ): Promise<CommentViewDto> {
    return this.comments.get(workspaceId, id, view);
  }

  @Patch(':comment_id/sentiment')
  @ApiOperation({
    summary: "Correct a comment's sentiment",
    description:
      'Sets `sentiment_label`, which later scrapes and analyses then keep; null takes it back to the computed one. `sentiment_score` stays the computed one.',
  })
  updateCommentSentiment(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('comment_id') id: string,
    @Body() { label }: CorrectSentimentDto,
  ): Promise<CommentViewDto> {
    return this.comments.correct(workspaceId, id, label);
  }
}
