import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  StoriesDto,
  StoriesQueryDto,
  StoryPostsDto,
  StoryPostsQueryDto,
} from '../../content/stories/story.dto.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { StoryListService } from './story-list.service.js';

@Controller('workspaces/:workspace_id/stories')
export class StoriesController {
  constructor(private readonly stories: StoryListService) {}

  @Get()
  @ApiOperation({
    summary: 'List stories',
    description:
      'Posts or comments about the same event or subject, put together across sources and days; largest first, 50 a page. Reads the newest 10,000 that match, and says in `left_out` how many older ones it did not read. A story keeps its id when posts are added and when `since` changes.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  list(@WorkspaceId() workspaceId: string, @Query() query: StoriesQueryDto): Promise<StoriesDto> {
    return this.stories.list(workspaceId, query);
  }

  @Get(':story_id/posts')
  @ApiOperation({
    summary: 'List the posts of a story',
    description: 'All posts or comments of a story, 50 a page. Stories are kept for 90 days.',
  })
  listStoryPosts(
    @WorkspaceId() workspaceId: string,
    @PathId('story', 'story_id') id: string,
    @Query() { cursor }: StoryPostsQueryDto,
  ): Promise<StoryPostsDto> {
    return this.stories.listPosts(workspaceId, id, cursor);
  }
}
