import type { WireObject } from '../http/response-parsing.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { LemmyTarget } from './lemmy-target.js';
import type { LemmyComment } from './lemmy-wire.js';

/** One page of posts or comments as received, in the form of Lemmy's views. */
export interface ViewPage {
  views: readonly unknown[];
  after: string | null;
  /** Whether the instance shows no further pages although there are some. */
  isCut?: boolean;
}

/** The end of a list that an instance does not show. */
export const CUT: ViewPage = { views: [], after: null, isCut: true };

/**
 * What visitors can read of an instance, by the API of its software. Views of other software than Lemmy are brought into
 * the form of Lemmy's. Methods throw {@link PlatformError}, or the session's abort reason.
 */
export interface Dialect {
  /** A page of a target's posts, newest first; `after` is that of the page before it. */
  listPosts(target: LemmyTarget, after: string | null, session: PlatformSession): Promise<ViewPage>;
  /** Whether the instance lists the comments on all posts of a target, by {@link Dialect.listNewComments}. */
  listsComments(target: LemmyTarget): boolean;
  /** A page of the comments on a target's posts, newest first; an empty one where the instance has no such list. */
  listNewComments(target: LemmyTarget, after: string | null, session: PlatformSession): Promise<ViewPage>;
  /** The comments of a post; null when there is no such post. */
  listComments(postId: string, session: PlatformSession): Promise<LemmyComment[] | null>;
  /** The view of a post or a comment; null when there is none, or no longer. */
  getView(kind: 'post' | 'comment', id: string, session: PlatformSession): Promise<WireObject | null>;
}

/** A page of a list by its number, and the number of the account or magazine that is listed, where there is one. */
export interface NumberedPage {
  page: number;
  subject: string | null;
}

/** Reads the cursor of a numbered page: `2`, or with a subject `31 2`; null for the first page. */
export function numberedPage(after: string | null): NumberedPage {
  const [page = '1', subject = null] = (after ?? '1').split(' ').reverse();
  return { page: Number(page), subject };
}

/** The cursor of a numbered page. */
export const cursorOf = ({ page, subject }: NumberedPage): string =>
  subject === null ? String(page) : `${subject} ${page}`;

/** The failure of a target that a site lists on demand only. */
export function notSafeForWork(site: string, what: string): PlatformError {
  return new PlatformError(
    'target_forbidden',
    `${site} marks ${what} as not safe for work and does not list it. The operator can have it read with SOURCE_SHOW_NSFW=true`,
  );
}
