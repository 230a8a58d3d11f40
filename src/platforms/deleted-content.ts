import {
  type ContentLookup,
  DELETED,
  type GoneComment,
  type GonePost,
  type GoneReason,
  type PlatformSession,
} from './platform.js';

/** What is stored in place of a post that a source no longer shows. */
export function deletedPost(id: string, reason: GoneReason = 'deleted'): GonePost {
  return {
    id,
    title: DELETED,
    author: DELETED,
    selftext: DELETED,
    url: null,
    hasMedia: false,
    mediaUrls: [],
    reason,
  };
}

/** What is stored in place of a comment that a source no longer shows. */
export function deletedComment(id: string, reason: GoneReason = 'deleted'): GoneComment {
  return { id, author: DELETED, body: DELETED, reason };
}

/** Looks up posts and comments alike by their ids, of which `findGone` returns those that are gone. */
export function lookupById(
  prefix: string,
  findGone: (ids: readonly string[], session: PlatformSession) => Promise<readonly string[]>,
): ContentLookup {
  return {
    prefixes: { post: prefix, comment: prefix },
    commentsBy: 'id',
    findGonePosts: async (ids, session) => (await findGone(ids, session)).map((id) => deletedPost(id)),
    findGoneComments: async (ids, _postId, session) =>
      (await findGone(ids, session)).map((id) => deletedComment(id)),
  };
}

/**
 * A platform's text in place of what is gone, whatever it says of who took it down and why: one pair of brackets, in
 * which further ones (a link to its rules) are closed.
 */
const GONE = /^\s*\[\s*(?:content\s+)?(removed|deleted)(?:\s+by\b(?:[^[\]]|\[[^[\]]*\])*|\s*)\]\s*$/iu;

/** Why content with these texts is gone; null while a platform still shows it. */
export function goneReason(texts: readonly string[], author: string): GoneReason | null {
  for (const text of texts) {
    const said = GONE.exec(text)?.[1]?.toLowerCase();
    if (said !== undefined) return said === 'deleted' ? 'deleted' : 'removed';
  }
  return author === DELETED ? 'account_deleted' : null;
}
