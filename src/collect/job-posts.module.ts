import { Module } from '@nestjs/common';
import { JobsModule } from './jobs.module.js';
import { PostsModule } from '../content/posts.module.js';
import { JobPostsController } from './scraping/job-posts.controller.js';
import { ExecutionsModule } from './executions.module.js';

/** The posts of a job over HTTP; part of the api role. */
@Module({
  imports: [ExecutionsModule, JobsModule, PostsModule],
  controllers: [JobPostsController],
})
export class JobPostsModule {}
