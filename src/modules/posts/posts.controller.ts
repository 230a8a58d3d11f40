import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { ListPostsDto } from './dto/list-posts.dto.js';
import { ForumCountDto, PostDto, PostPageDto } from './dto/post.dto.js';
import { PostsService } from './posts.service.js';

@Controller('workspaces/:workspace_id/posts')
export class PostsController {
  constructor(private readonly posts: PostsService) {}

  @Get()
  @ApiOperation({
    summary: 'Search posts',
    description:
      'Pages by cursor: rows that are there throughout a walk are seen once, whatever is written meanwhile.',
  })
  list(@WorkspaceId() workspaceId: string, @Query() query: ListPostsDto): Promise<PostPageDto> {
    return this.posts.list(workspaceId, query);
  }

  @Get('forums/list')
  @ApiOperation({ summary: 'Count posts by forum', description: 'Fullest forum first.' })
  listForums(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<ForumCountDto[]> {
    return this.posts.countByForum(workspaceId);
  }

  @Get(':post_id')
  @ApiOperation({ summary: 'Get a post' })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
  ): Promise<PostDto> {
    return this.posts.get(workspaceId, id);
  }

  @Get(':post_id/annotations')
  @ApiOperation({ summary: 'Get what plugins noted of a post' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  annotations(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
  ): Promise<Record<string, unknown>> {
    return this.posts.annotations(workspaceId, id);
  }
}
