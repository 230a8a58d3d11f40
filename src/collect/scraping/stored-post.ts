import type { PlatformPost } from '../../platforms/platform.js';
import type { ExistingPost } from '../../content/posts/posts.repository.js';

/** The fields of a stored post that the listing depends on. */
export interface StoredPost extends ExistingPost {
  /** Whether the platform counted comments for the post but none is stored. */
  hasMissingComments: boolean;
}

/** Whether a listed post is not stored, or lacks its comments where they are needed. */
export function isMissing(
  post: PlatformPost,
  existing: StoredPost | undefined,
  needsComments: boolean,
): boolean {
  return !existing || (needsComments && existing.hasMissingComments && post.numComments > 0);
}

/** Whether the stored comments of a listed post are current. Comments of a post that has moved to another forum are read again, because they are filtered by its forum. */
export function hasSameComments(post: PlatformPost, existing: StoredPost | undefined): boolean {
  return (
    existing !== undefined &&
    !existing.hasMissingComments &&
    existing.numComments === post.numComments &&
    existing.forum === post.forum
  );
}

/** Whether a post was stored before a gap in the stored posts began; both times are database times. */
export function isBeforeGap(existing: ExistingPost, gapStart: Date | null): boolean {
  return gapStart === null || existing.scrapedAt < gapStart;
}
