import { siteId } from '../../common/site-names.js';
import type { PlatformComment, TreePost } from '../platform.js';
import { threadFields } from '../post-fields.js';
import { DISCOURSE_PREFIX, type DiscoursePost, type DiscourseTopic, textOf } from './discourse-wire.js';

/**
 * Makes comments of a topic's posts, in the order of their numbers. Discourse is flat: the depth follows from the posts
 * that posts reply to. A reply to a post that is not there, or is not an earlier one, is a reply to the topic. Notes on
 * changes of the topic and posts deleted by their authors are left out; replies to the latter keep their depth.
 */
export class DiscourseThread {
  private readonly depths = new Map<number, { id: string; depth: number }>();
  private readonly seen = new Set<number>();
  /** Number of the last post so far. */
  lastNumber = 1;

  constructor(
    private readonly site: string,
    private readonly post: TreePost,
    private readonly topic: Pick<DiscourseTopic, 'posts'>,
  ) {}

  /** The comments among the next posts of the topic, each post once. */
  add(posts: readonly DiscoursePost[]): PlatformComment[] {
    const comments: PlatformComment[] = [];
    for (const post of posts) {
      if (this.seen.has(post.id)) continue;
      this.seen.add(post.id);
      this.lastNumber = Math.max(this.lastNumber, post.number);
      if (post.number === 1) continue;
      const parent = post.replyTo === null || post.replyTo <= 1 ? undefined : this.depths.get(post.replyTo);
      const [id, depth] = [siteId(DISCOURSE_PREFIX, this.site, post.id), parent ? parent.depth + 1 : 0];
      this.depths.set(post.number, { id, depth });
      if (!post.isText || post.isDeleted) continue;
      comments.push({
        id,
        ...threadFields(this.post),
        parentId: parent?.id ?? this.post.id,
        author: post.author,
        body: textOf(post),
        score: post.likes,
        createdUtc: post.createdUtc,
        depth,
        isSubmitter: post.userId !== null && post.userId === this.topic.posts[0]?.userId,
      });
    }
    return comments;
  }
}
