import type { CommentSlice, PlatformComment } from './platform.js';

/** Comments that are handed on together. */
const SLICE = 500;

/** A tree that was read at once, in at least one slice; `missing` comments were listed and not delivered. */
export function* slicesOf(comments: readonly PlatformComment[], missing = 0): Generator<CommentSlice> {
  for (let at = 0; at === 0 || at < comments.length; at += SLICE)
    yield { comments: comments.slice(at, at + SLICE), missing };
}

/** The tree of a post that is not there: all that is known is that something is missing. */
export const MISSING_TREE: CommentSlice = { comments: [], missing: 1 };
