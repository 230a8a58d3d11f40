import { siteId } from '../../common/site-names.js';
import { FlatThread } from '../forum/flat-thread.js';
import type { PlatformComment, TreePost } from '../platform.js';
import { DISCOURSE_PREFIX, type DiscoursePost, type DiscourseTopic, textOf } from './discourse-wire.js';

/**
 * Makes comments of a topic's posts, in the order of their numbers. Notes on changes of the topic and posts deleted by
 * their authors are left out.
 */
export class DiscourseThread {
  private readonly thread: FlatThread;
  /** Number of the last post so far. */
  lastNumber = 1;

  constructor(
    private readonly site: string,
    post: TreePost,
    private readonly topic: Pick<DiscourseTopic, 'posts'>,
  ) {
    this.thread = new FlatThread(post);
  }

  /** The comments among the next posts of the topic, each post once. */
  add(posts: readonly DiscoursePost[]): PlatformComment[] {
    this.lastNumber = Math.max(this.lastNumber, ...posts.map(({ number }) => number));
    const asker = this.topic.posts[0]?.userId;
    return this.thread.add(
      posts.map((post) => ({
        id: siteId(DISCOURSE_PREFIX, this.site, post.id),
        place: post.number,
        replyTo: post.replyTo,
        isOpening: post.number === 1,
        isLeftOut: !post.isText || post.isDeleted,
        author: post.author,
        body: textOf(post),
        score: post.likes,
        createdUtc: post.createdUtc,
        isSubmitter: post.userId !== null && post.userId === asker,
      })),
    );
  }
}
