import { type PlatformComment, type PlatformPost } from '../platform.js';
import { mediaOf } from './media.js';
import {
  asDate,
  asFullName,
  asInteger,
  asNumber,
  asText,
  bareId,
  plainText,
  plainUrl,
  type WireObject,
} from './wire.js';

const SITE = 'https://www.reddit.com';
const DELETED = '[deleted]';
/** Old rows carry no ratio. The middle says "unknown" without ranking them best or worst. */
const UNKNOWN_RATIO = 0.5;

/**
 * A post row of a listing, a look-up or an archive. Null when it lacks what no post can be without:
 * an id, a title and the moment of its creation.
 */
export function mapPost(row: WireObject): PlatformPost | null {
  const id = asFullName('t3', row.name) ?? asFullName('t3', row.id);
  const createdUtc = asDate(row.created_utc);
  if (id === null || createdUtc === null || typeof row.title !== 'string') return null;
  const forum = forumOf(row);
  const { postType, media } = mediaOf(row);
  const mediaUrls = media.filter((medium) => medium.kind !== 'preview').map((medium) => medium.url);
  return {
    id,
    forum,
    title: plainText(row.title),
    author: authorOf(row),
    createdUtc,
    permalink: pathOf(row.permalink) ?? `/r/${forum}/comments/${bareId(id)}/`,
    url: absolute(plainUrl(row.url)),
    score: scoreOf(row),
    upvoteRatio: ratioOf(row),
    numComments: Math.max(0, asInteger(row.num_comments) ?? 0),
    selftext: plainText(row.selftext),
    postType,
    isNsfw: row.over_18 === true,
    isSpoiler: row.spoiler === true,
    flair: plainText(row.link_flair_text),
    totalAwards: Math.max(0, asInteger(row.total_awards_received) ?? asInteger(row.gilded) ?? 0),
    hasMedia: mediaUrls.length > 0 || postType === 'image' || postType === 'video',
    mediaUrls,
    media,
  };
}

/** What a comment inherits from its place in a tree. */
export interface CommentPlace {
  post: Pick<PlatformPost, 'id' | 'permalink'>;
  /** The author and moment of the post, when the tree's first answer told them. */
  postAuthor: string | null;
  postCreatedUtc: Date | null;
  depth: number;
}

/** Full name of a comment row; null when it has no valid id. */
export function commentId(row: WireObject): string | null {
  return asFullName('t1', row.name) ?? asFullName('t1', row.id);
}

/**
 * Full name of what a comment row (or a stub) answers: a post or a comment; null when the row does not say.
 * Archives give the number that the id is in base 36; it is the post's when it equals the row's post, else a comment's.
 */
export function parentOf(row: WireObject): string | null {
  const parent = row.parent_id ?? row.parent;
  if (typeof parent === 'number' && Number.isSafeInteger(parent) && parent > 0) {
    const bare = parent.toString(36);
    const post = asFullName('t3', row.link_id);
    return post === `t3_${bare}` ? post : `t1_${bare}`;
  }
  if (typeof parent !== 'string') return null;
  return parent.startsWith('t3_') ? asFullName('t3', parent) : asFullName('t1', parent);
}

/** A comment row at its place. Null when it has no id, or neither a date of its own nor a post's to stand in. */
export function mapComment(row: WireObject, place: CommentPlace): PlatformComment | null {
  const id = commentId(row);
  const createdUtc = asDate(row.created_utc) ?? place.postCreatedUtc;
  if (id === null || createdUtc === null) return null;
  const author = authorOf(row);
  return {
    id,
    postId: place.post.id,
    postPermalink: place.post.permalink,
    parentId: parentOf(row) ?? place.post.id,
    author,
    body: plainText(row.body ?? row.contentText),
    score: scoreOf(row),
    createdUtc,
    depth: place.depth,
    isSubmitter:
      typeof row.is_submitter === 'boolean'
        ? row.is_submitter
        : author !== DELETED && author === place.postAuthor,
  };
}

function authorOf(row: WireObject): string {
  return plainText(row.author) || DELETED;
}

function scoreOf(row: WireObject): number {
  const score = asInteger(row.score);
  if (score !== null) return score;
  const ups = asInteger(row.ups);
  return ups === null ? 0 : ups - (asInteger(row.downs) ?? 0);
}

function ratioOf(row: WireObject): number {
  const ratio = asNumber(row.upvote_ratio);
  return ratio === null ? UNKNOWN_RATIO : Math.max(0, Math.min(1, ratio));
}

function forumOf(row: WireObject): string {
  const named = asText(row.subreddit) ?? asText(row.subreddit_name_prefixed);
  if (named !== null) return plainText(named).replace(/^\/?r\//, '');
  return /^\/r\/([^/]+)\//.exec(pathOf(row.permalink) ?? '')?.[1] ?? '';
}

/** The path of a permalink, whether it came as a path or as a whole address. */
function pathOf(permalink: unknown): string | null {
  const path = plainUrl(permalink)?.replace(/^https?:\/\/[^/]+/i, '');
  return path?.startsWith('/') ? path : null;
}

function absolute(url: string | null): string | null {
  return url?.startsWith('/') && !url.startsWith('//') ? `${SITE}${url}` : url;
}
