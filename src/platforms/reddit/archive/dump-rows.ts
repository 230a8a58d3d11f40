import { asDate, asObject, unescaped, type WireObject } from '../../http/response-parsing.js';
import type { PlatformComment, PlatformPost } from '../../platform.js';
import { forumOf, mapComment, mapPost, parentOf, pathOf } from '../mapper.js';
import { asFullName, bareId } from '../wire.js';

/** A record of a dump. The depth of a comment is 0 when it is top-level, else unknown (-1). */
export type DumpRow =
  | { kind: 'post'; post: PlatformPost }
  | { kind: 'comment'; comment: PlatformComment }
  /** Advertisements belong to no forum and are not imported. */
  | { kind: 'advertisement' };

/** A line with an ampersand, which may begin an entity. */
const ESCAPED = /&|\\u0026/;

/**
 * Parses a line of a dump of posts (RS) or comments (RC), whose texts are HTML-escaped once; null when it is damaged or
 * neither.
 */
export function readDumpRow(line: string): DumpRow | null {
  let row;
  try {
    const parsed = asObject(JSON.parse(line));
    row = ESCAPED.test(line) ? unescaped(parsed) : parsed;
  } catch {
    return null;
  }
  if (row === null) return null;
  if (typeof row.title === 'string') {
    if (row.promoted === true) return { kind: 'advertisement' };
    const post = mapPost(row);
    return post && { kind: 'post', post };
  }
  const postId = asFullName('t3', row.link_id);
  if (typeof row.body !== 'string' || postId === null || asDate(row.created_utc) === null) return null;
  const context = {
    post: { id: postId, forum: forumOf(row), permalink: postPermalink(row, postId) },
    postAuthor: null,
    postCreatedUtc: null,
    depth: parentOf(row)?.startsWith('t1_') ? -1 : 0,
  };
  const comment = mapComment(row, context);
  return comment && { kind: 'comment', comment };
}

/** The path of a comment's post: the comment's path without its last segment. */
function postPermalink(row: WireObject, postId: string): string {
  const path = /^\/r\/[^/]+\/comments\/[^/]+\/[^/]*\//.exec(pathOf(row.permalink) ?? '')?.[0];
  return path ?? `/r/${forumOf(row)}/comments/${bareId(postId)}/`;
}
