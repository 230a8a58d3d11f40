import { DELETED, type GoneComment, type GonePost, type GoneReason } from './platform.js';

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
