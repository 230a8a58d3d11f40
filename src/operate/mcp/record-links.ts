import { linkOf } from '../../messages/channels/message-text.js';

/**
 * A response with an absolute `link` in every post and comment, so that it can be cited: the address at which it was
 * published, or its place in the dashboard where the response has no permalink, as in lists of posts.
 */
export function withLinks(response: unknown, dashboard: string): unknown {
  if (Array.isArray(response)) return response.map((one) => withLinks(one, dashboard));
  if (typeof response !== 'object' || response === null) return response;
  const record = Object.fromEntries(
    Object.entries(response).map(([name, value]) => [name, withLinks(value, dashboard)]),
  );
  const link = linkIn(record, dashboard);
  return link === null ? record : { ...record, link };
}

function linkIn(record: Record<string, unknown>, dashboard: string): string | null {
  const { id, permalink, selftext, post_id: postId, post_permalink: postPermalink } = record;
  if (typeof postId === 'string' && typeof postPermalink === 'string')
    return linkOf({ id: postId, permalink: postPermalink });
  if (typeof id !== 'string' || typeof selftext !== 'string') return null;
  return typeof permalink === 'string'
    ? linkOf({ id, permalink })
    : `${dashboard}/posts/${encodeURIComponent(id)}`;
}
