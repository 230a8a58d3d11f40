import type { PlatformComment, TreePost } from '../platform.js';
import { threadFields } from '../post-fields.js';

/** A post of a topic, whose thread is flat. */
export interface FlatPost extends Pick<
  PlatformComment,
  'id' | 'author' | 'body' | 'score' | 'createdUtc' | 'isSubmitter'
> {
  /** By which posts name the one that they reply to. */
  place: string | number;
  /** The place of the post that this one replies to; null for a reply to the topic. */
  replyTo: string | number | null;
  /** Whether it begins the topic, and is no comment. */
  isOpening: boolean;
  /** Whether it has no text: a note, or a post that is gone. Replies to it keep their depth. */
  isLeftOut: boolean;
}

/**
 * Makes comments of a topic's posts, in their order. Forums are flat: the depth follows from the posts that posts reply
 * to. A reply to a post that is not there, or is not an earlier one, is a reply to the topic.
 */
export class FlatThread {
  private readonly depths = new Map<string | number, { id: string; depth: number }>();
  private readonly seen = new Set<string>();

  constructor(private readonly post: TreePost) {}

  /** The comments among the next posts of the topic, each post once. */
  add(posts: readonly FlatPost[]): PlatformComment[] {
    return posts.flatMap(({ place, replyTo, isOpening, isLeftOut, ...fields }) => {
      const { id } = fields;
      if (this.seen.has(id)) return [];
      this.seen.add(id);
      if (isOpening) return [];
      const parent = replyTo === null ? undefined : this.depths.get(replyTo);
      const depth = parent ? parent.depth + 1 : 0;
      this.depths.set(place, { id, depth });
      return isLeftOut
        ? []
        : [{ ...fields, ...threadFields(this.post), parentId: parent?.id ?? this.post.id, depth }];
    });
  }
}
