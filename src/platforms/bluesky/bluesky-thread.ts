import { slicesOf } from '../comment-slices.js';
import { asObject, asObjects, asText, type WireObject } from '../http/response-parsing.js';
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

/**
 * The comments below a post, parents first, and how many the AppView counts but does not show. Where an answer ends, the
 * tree goes on with a request for its last post. `isShown` selects the replies that are stored.
 */
export async function* walkThread(
  api: BlueskyApi,
  post: TreePost,
  isShown: (reply: BlueskyPost) => boolean,
  session: PlatformSession,
): AsyncGenerator<CommentSlice> {
  const open: Anchor[] = [{ id: post.id, depth: 0, replies: Math.max(1, post.numComments ?? 1) }];
  const seen = new Set([post.id]);
  let missing = 0;
  /** Level by level, since a hostile answer could be deep. */
  const add = (tree: WireObject, { id: root, depth: top }: Anchor, replyCount: number): PlatformComment[] => {
    const comments: PlatformComment[] = [];
    const nodes = [{ node: tree, id: root, depth: top, replies: replyCount }];
    for (let at = 0; at < nodes.length; at += 1) {
      const { node, ...parent } = nodes[at]!;
      const { id, depth, replies } = parent;
      // At the last level the replies are absent, not empty.
      if (!Array.isArray(node.replies) && id !== root) {
        if (replies > 0) open.push(parent);
        continue;
      }
      const shown = shownReplies(node).filter(({ reply }) => !seen.has(reply.id));
      missing += Math.max(0, replies - shown.length);
      for (const { reply, child } of shown) {
        seen.add(reply.id);
        if (isShown(reply)) comments.push(mapReply(reply, post, { parentId: id, depth }));
        nodes.push({ node: child, id: reply.id, depth: depth + 1, replies: reply.replies });
      }
    }
    return comments;
  };
  for (let requests = 0; open.length > 0; requests += 1) {
    const anchor = open.shift()!;
    const tree = requests < MAX_REQUESTS ? await api.readThread(uriOfId(anchor.id) ?? '', session) : null;
    // In place of a post that is blocked or not there stands a node without one.
    const isThere = asObject(tree?.post) !== null;
    const comments = tree !== null && isThere ? add(tree, anchor, readPost(tree.post)?.replies ?? 0) : [];
    if (!isThere) missing += anchor.replies;
    yield* slicesOf(comments, missing);
  }
}

/** Oldest first, since the AppView promises no order. Those that are deleted or hidden by a block are left out. */
function shownReplies(node: WireObject): { reply: BlueskyPost; child: WireObject }[] {
  return asObjects(node.replies)
    .flatMap((child) => {
      const reply = asText(child.$type)?.endsWith('#threadViewPost') ? readPost(child.post) : null;
      return reply === null ? [] : { reply, child };
    })
    .sort((a, b) => a.reply.createdUtc.getTime() - b.reply.createdUtc.getTime());
}
