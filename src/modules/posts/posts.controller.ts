import { Controller, Get, Param, Query } from '@nestjs/common';
import { NoQueryDto } from '../../common/no-query.dto.js';
import { WorkspaceId } from '../../common/workspace.decorator.js';
import { ListPostsDto } from './dto/list-posts.dto.js';
import { ForumCountDto, PostDto, PostPageDto } from './dto/post.dto.js';
import { PostsService } from './posts.service.js';

@Controller('workspaces/:workspace_id/posts')
export class PostsController {
  constructor(private readonly posts: PostsService) {}

  @Get()
  list(@WorkspaceId() workspaceId: string, @Query() query: ListPostsDto): Promise<PostPageDto> {
    return this.posts.list(workspaceId, query);
  }

  @Get('forums/list')
  listForums(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<ForumCountDto[]> {
    return this.posts.countByForum(workspaceId);
  }

  @Get(':post_id')
  get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('post_id') id: string,
  ): Promise<PostDto> {
    return this.posts.get(workspaceId, id);
  }
}
