import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Job } from '../jobs/job.entity.js';
import type { PostRow } from './records.js';

/** Is told of the posts that a batch stored for the first time in their workspace, inside the batch's transaction. */
export abstract class NewPostsListener {
  /** Throwing rolls the batch back. A batch that is repeated after a lost connection tells of none twice. */
  abstract onNewPosts(job: Job, posts: readonly PostRow[], tx: EntityManager): Promise<void>;
}

@Injectable()
export class NobodyListens extends NewPostsListener {
  onNewPosts(): Promise<void> {
    return Promise.resolve();
  }
}
