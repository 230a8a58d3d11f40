import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { PostsModule } from '../../content/posts/posts.module.js';
import { JobPostsController } from './job-posts.controller.js';
import { ExecutionsModule } from './executions.module.js';

/** The posts of a job over HTTP; part of the api role. */
@Module({
  imports: [ExecutionsModule, JobsModule, PostsModule],
  controllers: [JobPostsController],
})
export class JobPostsModule {}
