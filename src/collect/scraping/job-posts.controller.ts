import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PathId } from '../../http/parameters/id.pipe.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { JobsService } from '../jobs/jobs.service.js';
import { ListPostsDto } from '../../content/posts/dto/list-posts.dto.js';
import { PostPageDto } from '../../content/posts/dto/post.dto.js';
import { PostsService } from '../../content/posts/posts.service.js';
import { WorkListRepository } from './work-list.repository.js';

@ApiTags('Jobs')
@Controller('workspaces/:workspace_id/jobs')
export class JobPostsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly workList: WorkListRepository,
    private readonly posts: PostsService,
  ) {}

  @Get(':job_id/posts')
  @ApiOperation({
    summary: "List a job's posts",
    description:
      'Posts that the job inserted or updated so far, with the filters, sorting and paging of Search posts. Available until the job is deleted.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  async listJobPosts(
    @WorkspaceId() workspaceId: string,
    @PathId('job', 'job_id') id: string,
    @Query() query: ListPostsDto,
  ): Promise<PostPageDto> {
    await this.jobs.get(workspaceId, id);
    return this.posts.list(workspaceId, query, {
      jobId: id,
      ids: await this.workList.storedPosts(workspaceId, id),
    });
  }
}
