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

/** Looks up posts and comments by their ids, of which `findGone` returns those that are gone. */
export function lookupById(
  prefix: string,
  findGone: (
    ids: readonly string[],
    session: PlatformSession,
    kind: 'post' | 'comment',
  ) => Promise<readonly string[]>,
): ContentLookup {
  return {
    prefixes: { post: prefix, comment: prefix },
    commentsBy: 'id',
    findGonePosts: async (ids, session) =>
      (await findGone(ids, session, 'post')).map((id) => deletedPost(id)),
    findGoneComments: async (ids, _postId, session) =>
      (await findGone(ids, session, 'comment')).map((id) => deletedComment(id)),
  };
}

/** Comments that one lookup of a thread requests one by one; the others are left for the next pass. */
const MAX_SINGLE = 100;

/**
 * The comments of a thread that are gone, of those with some numbers. Those that `found` lacks are requested one by one;
 * `reasonOf` says why a comment (null: one that is nowhere) is gone, null for one that is shown.
 */
export async function goneInThread<T>(
  numbers: readonly string[],
  found: Map<string, T>,
  readOne: (number: string) => Promise<T | null>,
  reasonOf: (comment: T | null) => GoneReason | null,
  idOf: (number: string) => string,
): Promise<GoneComment[]> {
  const missing = numbers.filter((number) => !found.has(number));
  const unknown = new Set(missing.splice(MAX_SINGLE));
  for (const number of missing) {
    const comment = await readOne(number);
    if (comment !== null) found.set(number, comment);
  }
  return numbers.flatMap((number) => {
    const reason = unknown.has(number) ? null : reasonOf(found.get(number) ?? null);
    return reason === null ? [] : deletedComment(idOf(number), reason);
  });
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
