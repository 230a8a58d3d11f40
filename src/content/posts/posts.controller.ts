import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { Patch } from '../../http/changes/change.decorators.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { ListPostsDto } from './dto/list-posts.dto.js';
import { CorrectSentimentDto } from '../sentiment/correct-sentiment.dto.js';
import { RecordViewDto } from '../../search/dto/full-view.dto.js';
import { ForumCountDto, PostHistoryDto, PostPageDto, PostViewDto } from './dto/post.dto.js';
import { PostsService } from './posts.service.js';

@Controller('workspaces/:workspace_id/posts')
export class PostsController {
  constructor(private readonly posts: PostsService) {}

  @Get()
  @ApiOperation({
    summary: 'Search posts',
    description:
      'Cursor-based paging: each post is returned exactly once, even if posts are inserted between pages.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  list(@WorkspaceId() workspaceId: string, @Query() query: ListPostsDto): Promise<PostPageDto> {
    return this.posts.list(workspaceId, query);
  }

  @Get('forums/list')
  @ApiOperation({ summary: 'Count posts by forum', description: 'Forums with the most posts first.' })
  listForums(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<ForumCountDto[]> {
    return this.posts.countByForum(workspaceId);
  }

  @Get(':post_id')
  @ApiOperation({ summary: 'Get a post', description: 'The full record of a stored post.' })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: RecordViewDto,
    @Param('post_id') id: string,
  ): Promise<PostViewDto> {
    return this.posts.get(workspaceId, id, view);
  }

  @Patch(':post_id/sentiment')
  @ApiOperation({
    summary: "Correct a post's sentiment",
    description:
      'Sets `sentiment_label`, which later scrapes and analyses then keep; null takes it back to the computed one. `sentiment_score` stays the computed one.',
  })
  updatePostSentiment(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
    @Body() { label }: CorrectSentimentDto,
  ): Promise<PostViewDto> {
    return this.posts.correct(workspaceId, id, label);
  }

  @Get(':post_id/history')
  @ApiOperation({
    summary: "Get a post's score history",
    description:
      'Score, upvote ratio and number of comments, one entry for each change that a scrape observed. Entries older than two days are reduced to one per hour, and those older than thirty days to one per day.',
  })
  history(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
  ): Promise<PostHistoryDto> {
    return this.posts.scoreHistory(workspaceId, id);
  }

  @Get(':post_id/annotations')
  @ApiOperation({
    summary: "Get a post's plugin annotations",
    description: 'Values that plugins stored for the post, by annotation name. `{}` if there are none.',
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  annotations(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
  ): Promise<Record<string, unknown>> {
    return this.posts.annotations(workspaceId, id);
  }
}
