import type { ScrapePlugin } from '../plugin.js';

/** Plugin that drops posts that are not safe for work. */
export const nsfwFilter: ScrapePlugin = {
  name: 'nsfw_filter',
  description: 'Leaves out posts that are marked as not safe for work, and with them their comments.',
  onPosts: (batch) => batch.filter(({ record }) => !record.isNsfw),
};
