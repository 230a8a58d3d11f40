import { Module } from '@nestjs/common';
import { Pruner } from '../infrastructure/pruning/pruner.js';
import { SearchModule } from '../search/search.module.js';
import { Removals } from '../tenants/ports/removals.js';
import { keyOfComment } from './comments/comment-keys.js';
import { StoriesService } from './stories/stories.service.js';
import { StoryRecordsRepository } from './stories/story-records.repository.js';

const PRUNED_AT_ONCE = 5_000;

/** Stories: posts and comments about the same event. */
@Module({
  imports: [SearchModule],
  providers: [StoriesService, StoryRecordsRepository],
  exports: [StoriesService],
})
export class StoriesModule {
  constructor(pruner: Pruner, removals: Removals, stories: StoryRecordsRepository) {
    removals.register({
      tables: ['story_records'],
      when: 'always',
      posts: stories.deleteOf.bind(stories),
      comments: (workspaceId, ids, tx) => stories.deleteOf(workspaceId, ids.map(keyOfComment), tx),
    });
    pruner.add('story_records', async () => (await stories.deleteExpired(PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
  }
}
