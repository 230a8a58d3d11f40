import type { AlertNotification, NotifiedPost } from './channel.js';

const PLATFORM_ORIGIN = 'https://www.reddit.com';

/** Most posts that a notification shows; the rest is counted. */
export const MAX_POSTS_SHOWN = 10;
/** Longest excerpt of a body, in UTF-16 units. */
export const EXCERPT_LENGTH = 280;
export const MAX_KEYWORDS_SHOWN = 10;

/** No chat takes a longer one; a title's part of a permalink may be that long once it is encoded. */
const MAX_LINK_LENGTH = 1_000;

/**
 * The post's page. The permalink is appended, never resolved, so that it cannot name another host. One that is too long
 * loses what follows the post's id, which is for people only.
 */
export function linkOf(post: Pick<NotifiedPost, 'permalink'>): string {
  const path = post.permalink.startsWith('/') ? post.permalink : `/${post.permalink}`;
  const whole = new URL(PLATFORM_ORIGIN + path);
  if (whole.href.length <= MAX_LINK_LENGTH) return whole.href;
  const toId = /^\/(?:[^/]+\/){1,2}comments\/[^/]+\//.exec(whole.pathname)?.[0] ?? '/';
  return toId.length <= MAX_LINK_LENGTH / 2 ? PLATFORM_ORIGIN + toId : `${PLATFORM_ORIGIN}/`;
}

/** `rust, go and 3 more` */
export function keywordList(keywords: readonly string[]): string {
  const more = keywords.length - MAX_KEYWORDS_SHOWN;
  const shown = keywords.slice(0, MAX_KEYWORDS_SHOWN).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** `3 posts` */
export function countPosts(count: number): string {
  return count === 1 ? '1 post' : `${count} posts`;
}

/** `and 3 more posts`; empty when all are shown. */
export function restLine(notification: Pick<AlertNotification, 'totalPosts'>, shown: number): string {
  const rest = notification.totalPosts - shown;
  return rest > 0 ? `and ${rest} more ${rest === 1 ? 'post' : 'posts'}` : '';
}
