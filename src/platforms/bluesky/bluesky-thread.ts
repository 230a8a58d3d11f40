import { slicesOf } from '../comment-slices.js';
import { asArray, asObject, asText, type WireObject } from '../http/response-parsing.js';
import type { CommentSlice, PlatformComment, PlatformSession, TreePost } from '../platform.js';
import type { BlueskyApi } from './bluesky-api.js';
import { type BlueskyPost, mapReply, readPost, uriOfId } from './bluesky-wire.js';

/** Requests for one thread. The AppView gives ten levels a request. */
const MAX_REQUESTS = 200;

/** A post whose replies are still to be requested. */
interface Anchor {
  id: string;
  /** Depth of its replies as comments. */
  depth: number;
  replies: number;
}

/** Walks the tree below a post: where an answer ends, the tree goes on with a request for the last post. */
export class BlueskyThread {
  private readonly open: Anchor[];
  private readonly seen: Set<string>;
  private missing = 0;

  /** `isShown` selects the replies that are stored. */
  constructor(
    private readonly api: BlueskyApi,
    private readonly post: TreePost,
    private readonly isShown: (reply: BlueskyPost) => boolean,
  ) {
    this.open = [{ id: post.id, depth: 0, replies: Math.max(1, post.numComments ?? 1) }];
    this.seen = new Set([post.id]);
  }

  /** The comments, parents first, and how many the AppView counts but does not show. */
  async *walk(session: PlatformSession): AsyncGenerator<CommentSlice> {
    for (let requests = 0; this.open.length > 0; requests += 1) {
      const anchor = this.open.shift()!;
      const tree =
        requests < MAX_REQUESTS ? await this.api.readThread(uriOfId(anchor.id) ?? '', session) : null;
      // In place of a post that is blocked or not there stands a node without one.
      const isShown = asObject(tree?.post) !== null;
      const comments = tree !== null && isShown ? this.add(anchor, tree) : [];
      if (!isShown) this.missing += anchor.replies;
      yield* slicesOf(comments, this.missing);
    }
  }

  /** Level by level, since a hostile answer could be deep. */
  private add(anchor: Anchor, tree: WireObject): PlatformComment[] {
    const comments: PlatformComment[] = [];
    const nodes = [{ node: tree, id: anchor.id, depth: anchor.depth }];
    for (let at = 0; at < nodes.length; at += 1) {
      const { node, id, depth } = nodes[at]!;
      const replies = readPost(node.post)?.replies ?? 0;
      // At the last level the replies are absent, not empty.
      if (!Array.isArray(node.replies) && id !== anchor.id) {
        if (replies > 0) this.open.push({ id, depth, replies });
        continue;
      }
      const shown = shownReplies(node).filter(({ reply }) => !this.seen.has(reply.id));
      this.missing += Math.max(0, replies - shown.length);
      for (const { reply, node: child } of shown) {
        this.seen.add(reply.id);
        if (this.isShown(reply)) comments.push(mapReply(reply, this.post, { parentId: id, depth }));
        nodes.push({ node: child, id: reply.id, depth: depth + 1 });
      }
    }
    return comments;
  }
}

/** Oldest first, since the AppView promises no order. Those that are deleted or hidden by a block are left out. */
function shownReplies(node: WireObject): { reply: BlueskyPost; node: WireObject }[] {
  return asArray(node.replies)
    .flatMap((value) => {
      const child = asObject(value);
      const isPost = asText(child?.$type)?.endsWith('#threadViewPost');
      const reply = isPost ? readPost(child?.post) : null;
      return child === null || reply === null ? [] : { reply, node: child };
    })
    .sort((a, b) => a.reply.createdUtc.getTime() - b.reply.createdUtc.getTime());
}
