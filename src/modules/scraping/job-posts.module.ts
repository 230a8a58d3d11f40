import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { PostsModule } from '../posts/posts.module.js';
import { JobPostsController } from './job-posts.controller.js';
import { WorkListRepository } from './work-list.repository.js';

/** The posts of a job over HTTP; part of the api role. */
@Module({
  imports: [JobsModule, PostsModule],
  controllers: [JobPostsController],
  providers: [WorkListRepository],
})
export class JobPostsModule {}
