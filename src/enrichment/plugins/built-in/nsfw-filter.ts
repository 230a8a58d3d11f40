import type { ScrapePlugin } from '../plugin.js';

/** Plugin that drops posts that are not safe for work. */
export const nsfwFilter: ScrapePlugin = {
  name: 'nsfw_filter',
  description: 'Skips posts marked as not safe for work, together with their comments.',
  onPosts: (batch) => batch.filter(({ record }) => !record.isNsfw),
};
