import type { ExportedValue } from '../../../src/takeout/exports/exported-table.js';
import { EXPORTED_TABLES } from '../../../src/takeout/exports/exported-table.js';
import type { FeedHead, FeedItem } from '../../../src/takeout/feeds/feed-documents.js';
import type { PlatformComment, PlatformPost } from '../../../src/platforms/platform.js';
import { mapComment, mapPost } from '../../../src/platforms/reddit/mapper.js';

const CREATED = 1_700_000_000;
const TREE = { post: { id: 't3_a', forum: 'a', permalink: '/r/a/comments/a/t/' }, depth: 0 };
/** Where a comment of {@link commentOf} and {@link hackerNews} stands. */
export const REPLY = { ...TREE, postAuthor: null, postCreatedUtc: new Date(0), parentId: 'hn_1' };
/** Longest address that is kept. */
const ADDRESS = 8_000;

/** A row of a dump, or a post as Reddit answers it, with a text in every field that a writer chooses. */
export const rowOf = (text: string) => ({
  ...{ name: 't3_a', created_utc: CREATED, title: text, selftext: text, author: text, subreddit: text },
  ...{ link_flair_text: text, url: text.slice(0, ADDRESS), permalink: text.slice(0, ADDRESS) },
});

/** As {@link rowOf}, mapped. */
export const postOf = (text: string): PlatformPost => ({ ...mapPost(rowOf(text))!, postType: 'link' });

export const commentOf = (text: string): PlatformComment =>
  mapComment(
    { name: 't1_a', created_utc: CREATED, body: text, author: text },
    { ...TREE, postAuthor: null, postCreatedUtc: null },
  )!;

/** A story as Hacker News answers it. */
export const storyOf = (text: string) => ({
  ...{ objectID: '1', created_at_i: CREATED, title: text, story_text: text, author: text, url: text },
});

/** A message of an alert with as many posts and keywords as one shows. */
export const notificationOf = (text: string) => {
  const post = postOf(text);
  return {
    ...{ workspaceId: 'w', id: 'evt_1', deliveryId: 'delivery', eventBody: '{}', alertId: 'a' },
    ...{ alertName: text.slice(0, 255), totalPosts: 12, totalComments: 0 },
    keywords: Array.from({ length: 12 }, () => text.slice(0, 100)),
    posts: Array.from({ length: 12 }, () => post),
  };
};

/** A row of an export with a text as its body and, cut as sources cut them, in its other fields. */
export const exportedOf = (text: string): ExportedValue[] =>
  EXPORTED_TABLES.posts.fields.map(({ name, type, isArray }) => {
    const value = name === 'selftext' ? text : text.slice(0, 1_000);
    if (isArray) return [value, value];
    if (type.startsWith('timestamp')) return new Date(0);
    if (type === 'boolean') return false;
    return /int|double|real|numeric|float/.test(type) ? 1 : value;
  });

export const feedHeadOf = (text: string): FeedHead => ({
  ...{ workspaceId: 'w', searchId: 's', title: text },
  ...{ url: 'https://a.example/f', site: 'https://a.example/' },
});

export const feedItemOf = (text: string): FeedItem => ({
  ...{ id: 't3_a', title: text, body: text, author: text, forum: text },
  ...{ createdUtc: new Date(0), link: 'https://a.example/' },
});
