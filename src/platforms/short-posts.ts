import { titleOf } from './http/first-line.js';
import type { PlatformComment, PlatformPost, TreePost } from './platform.js';
import { PLAIN_POST, threadFields } from './post-fields.js';

/** A text without a title, as a microblog shows it: a post, or a reply in the thread of one. */
export interface ShortPost {
  id: string;
  author: string;
  createdUtc: Date;
  /** Whether it replies to another one, known or not. */
  isReply: boolean;
  /** Number of direct replies. */
  replies: number;
  likes: number;
  text: string;
  /** Whether its account asks not to be shown to visitors, or not to be indexed. */
  isUnindexed: boolean;
  /** What the writer states. */
  languages: string[];
}

/**
 * The fields of a short text as a post of a listing; `noun` is what the source calls it. A reply has no comments of its
 * own: what answers it belongs to the thread that it is in.
 */
export function shortPost(
  { id, author, createdUtc, isReply, replies, likes, text, languages }: ShortPost,
  noun: string,
): Omit<PlatformPost, 'forum' | 'permalink'> {
  return {
    ...PLAIN_POST,
    id,
    title: titleOf(text) || `${noun} of ${author}`,
    author,
    createdUtc,
    score: likes,
    numComments: isReply ? 0 : replies,
    selftext: text,
    mediaUrls: [],
    media: [],
    languages,
  };
}

/** A reply as a comment of the thread of `post`. */
export function shortReply(
  { id, author, createdUtc, likes, text, languages }: ShortPost,
  post: TreePost,
  place: Pick<PlatformComment, 'parentId' | 'depth' | 'isSubmitter'>,
): PlatformComment {
  return { id, ...threadFields(post), ...place, author, body: text, score: likes, createdUtc, languages };
}
