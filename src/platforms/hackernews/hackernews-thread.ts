import { asArray, asObject, type WireObject } from '../http/response-parsing.js';
import type { PlatformComment, TreePost } from '../platform.js';
import { authorOf, createdAt, isDeleted, itemId, itemNumber, mapComment } from './hackernews-items.js';

/**
 * The comments of a thread, parents before their replies, each once. Deleted comments are left out; their replies keep
 * their depth and still name the deleted comment as their parent. Comments without a number are reported. Null when the response is not the thread of the post.
 */
export function readThread(
  json: unknown,
  post: TreePost,
  onUnread: () => void = () => undefined,
): PlatformComment[] | null {
  const root = asObject(json);
  const number = itemNumber(root?.id);
  if (root === null || number === null || itemId(number) !== post.id) return null;
  // The API omits properties that an item lacks, or sends them as null.
  if (!Array.isArray(root.children ?? [])) return null;
  const postAuthor = authorOf(root);
  const postCreatedUtc = createdAt(root) ?? new Date();
  const comments: PlatformComment[] = [];
  const seen = new Set([post.id]);
  const open: { node: WireObject; parentId: string; depth: number }[] = [];
  // A loop instead of recursion, because threads can be thousands of levels deep.
  const addChildren = (parent: WireObject, parentId: string, depth: number): void => {
    const children = asArray(parent.children);
    for (let at = children.length - 1; at >= 0; at--) {
      const node = asObject(children[at]);
      if (node !== null && node.type !== 'pollopt') open.push({ node, parentId, depth });
    }
  };
  addChildren(root, post.id, 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parentId, depth } = next;
    const id = itemId(itemNumber(node.id) ?? 0);
    if (seen.has(id)) continue;
    const comment = mapComment(node, { post, postAuthor, postCreatedUtc, parentId, depth });
    if (comment !== null) comments.push(comment);
    if (itemNumber(node.id) !== null) seen.add(id);
    else if (!isDeleted(node)) onUnread();
    addChildren(node, id, depth + 1);
  }
  return comments;
}

/**
 * Ids of an item and of the comments below it, without deleted ones. Null when the response is not the item, or has no
 * list of children: a lookup would otherwise report every missing comment as deleted.
 */
export function readItems(json: unknown, id: string): string[] | null {
  const root = asObject(json);
  if (root === null || !Array.isArray(root.children)) return null;
  const comments = readThread(root, { id, forum: '', permalink: '' });
  if (comments === null) return null;
  return [...(isDeleted(root) ? [] : [id]), ...comments.map((comment) => comment.id)];
}
