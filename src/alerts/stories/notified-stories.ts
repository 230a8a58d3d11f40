import type { AlertTriggeredData, MatchedComment, MatchedPost } from '../matching/triggering.js';

/** One entry of a notification: a matched post with the matched comments of its thread, or these alone, best first. */
export interface NotifiedStory {
  post: MatchedPost | null;
  comments: MatchedComment[];
}

/** Reposts are in an event for webhooks; channels are not notified of them. */
export const isNotified = ({ is_duplicate }: { is_duplicate?: true }): boolean => is_duplicate !== true;

/** The stories of an event that channels show, most discussed first. */
export function notifiedStories({
  posts,
  comments,
}: Pick<AlertTriggeredData, 'posts' | 'comments'>): NotifiedStory[] {
  const stories = new Map<string, NotifiedStory>();
  for (const post of posts.filter(isNotified)) stories.set(post.id, { post, comments: [] });
  for (const comment of comments.filter(isNotified)) {
    const story = stories.get(comment.post_id);
    if (story === undefined) stories.set(comment.post_id, { post: null, comments: [comment] });
    else story.comments.push(comment);
  }
  for (const story of stories.values()) story.comments.sort((a, b) => b.score - a.score);
  return [...stories.values()].sort((a, b) => discussionOf(b) - discussionOf(a));
}

/** Number of comments that are known. */
const discussionOf = ({ post, comments }: NotifiedStory): number =>
  Math.max(post?.num_comments ?? 0, comments.length);
