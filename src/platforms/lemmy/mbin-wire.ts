import {
  asArray,
  asCount,
  asId,
  asNumber,
  asObject,
  asText,
  visibleName,
  type WireObject,
} from '../http/response-parsing.js';

/** Levels of replies that one answer has at most. */
export const MAX_LEVELS = 25;

/** An entry of Mbin in the form of Lemmy's view of a post; null for another value. */
export function viewOfEntry(value: unknown, isLeftOut: boolean): WireObject | null {
  const entry = asObject(value);
  const id = asId(entry?.entryId);
  if (entry === null || id === null) return null;
  const picture = entry.type === 'image' ? asObject(entry.image) : null;
  const file = asText(picture?.storageUrl) ?? asText(picture?.sourceUrl);
  const magazine = visibleName(asObject(entry.magazine)?.name);
  return {
    ...authorship(entry),
    isLeftOut,
    post: {
      ...textFields(entry),
      id,
      name: entry.title,
      body: entry.body,
      url: file ?? entry.url,
      url_content_type: file === null ? undefined : 'image/*',
      nsfw: entry.isAdult,
      page: magazine === '' ? undefined : `/m/${encodeURI(magazine)}/t/${id}`,
    },
    counts: { ...votesOf(entry), comments: entry.numComments },
  };
}

/** A comment of Mbin without its replies in the form of Lemmy's view; `path` are the ids from the top to this one. */
function viewOfComment(comment: WireObject, path: readonly number[], isLeftOut: boolean): WireObject {
  return {
    ...authorship(comment),
    isLeftOut,
    post: { id: comment.entryId },
    comment: {
      ...textFields(comment),
      id: comment.commentId,
      path: [0, ...path].join('.'),
      content: comment.body,
    },
    counts: { ...votesOf(comment), child_count: comment.childCount },
  };
}

/** A comment by itself, of which Mbin names the first and the last of those above it. */
export function viewOfOneComment(value: unknown, isLeftOut: boolean): WireObject | null {
  const comment = asObject(value);
  const id = asId(comment?.commentId);
  if (comment === null || id === null) return null;
  const path = [comment.rootId, comment.parentId].map(asId).filter((one) => one !== null);
  return viewOfComment(comment, [...new Set([...path, id])], isLeftOut);
}

/** A comment of which an answer lacks the replies, and the ids from the top to it. */
export interface CutBranch {
  id: number;
  above: number[];
}

/** The comments of trees in the form of Lemmy's views, and those whose replies are too deep for the answer. */
export function viewsOfTrees(
  trees: readonly unknown[],
  above: readonly number[],
  isLeftOut: (comment: WireObject) => boolean,
): { views: WireObject[]; cut: CutBranch[] } {
  const views: WireObject[] = [];
  const cut: CutBranch[] = [];
  // A loop instead of recursion, because a strange response can have any depth.
  const open = trees.map((tree) => ({ tree, above }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const comment = asObject(next.tree);
    const id = asId(comment?.commentId);
    if (comment === null || id === null) continue;
    const path = [...next.above, id];
    views.push(viewOfComment(comment, path, isLeftOut(comment)));
    const children = path.length - above.length > MAX_LEVELS ? [] : asArray(comment.children);
    if (children.length === 0 && asCount(comment.childCount) > 0) cut.push({ id, above: [...next.above] });
    open.push(...children.map((tree) => ({ tree, above: path })));
  }
  return { views, cut };
}

/** Whether an account asks not to be indexed. */
export function isUnindexedOnMbin(item: WireObject): boolean {
  return asObject(item.user)?.indexable === false || asObject(item.magazine)?.indexable === false;
}

function textFields({ createdAt, visibility, user }: WireObject): WireObject {
  return {
    published: createdAt,
    deleted: visibility === 'soft_deleted',
    removed: visibility === 'trashed' || visibility === 'private',
    creator_id: asObject(user)?.userId,
  };
}

function authorship({ user, magazine }: WireObject): WireObject {
  return {
    creator: actorOf(asObject(user)?.username),
    community: actorOf(asObject(magazine)?.name),
  };
}

/** Names of other instances' accounts are `@name@home`, of their magazines `name@home`. */
function actorOf(value: unknown): WireObject {
  const [name, home] = (asText(value) ?? '').replace(/^@/, '').split('@');
  return { name, local: home === undefined, ...(home !== undefined && { actor_id: `https://${home}/` }) };
}

/** A boost (`uv`) counts as a favourite does. */
function votesOf({ uv, dv, favourites }: WireObject): WireObject {
  const upvotes = (asNumber(uv) ?? 0) + (asNumber(favourites) ?? 0);
  const downvotes = asNumber(dv) ?? 0;
  return { score: upvotes - downvotes, upvotes, downvotes };
}
