import { publicId } from '../../common/ids.js';
import { commentIdOf } from '../comments/comment-keys.js';
import type { FoundStory } from './stories.service.js';
import type { StoryDto } from './story.dto.js';

/** A story as the API shows it. */
export const toStoryDto = (story: FoundStory): StoryDto => ({
  id: publicId('story', story.id),
  title: story.title,
  size: story.size,
  first_at: story.firstAt,
  last_at: story.lastAt,
  sources: story.sources,
  forums: story.forums,
  growth: story.growth,
  keywords: story.keywords,
  posts: story.records.map((key) => commentIdOf(key) ?? key),
});
