import type { PostSummary } from '../../content/posts/posts.repository.js';
import type { PreviewMatchDto } from './alert-match.dto.js';

/** A matched post as lists and previews of an alert show it. */
export function toMatch(post: PostSummary, keywords: string[]): PreviewMatchDto {
  return {
    post_id: post.id,
    forum: post.forum,
    title: post.title,
    author: post.author,
    created_utc: post.createdUtc,
    permalink: post.permalink,
    keywords,
  };
}
