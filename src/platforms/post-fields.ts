import { storableUrl, visibleName } from './http/response-parsing.js';
import {
  DELETED,
  type PlatformComment,
  type PlatformMedia,
  type PlatformPost,
  type TreePost,
  UNKNOWN_RATIO,
} from './platform.js';

/** A post without a link, files and marks, to which a source adds what its posts have. */
export const PLAIN_POST = {
  url: null,
  upvoteRatio: UNKNOWN_RATIO,
  selftext: '',
  postType: 'self',
  isNsfw: false,
  isSpoiler: false,
  flair: '',
  totalAwards: 0,
  hasMedia: false,
  mediaUrls: [],
  media: [],
} as const satisfies Partial<PlatformPost>;

/** The name of an author as a source sends it; `[deleted]` without a visible one. */
export function authorNamed(name: unknown): string {
  return visibleName(name) || DELETED;
}

/** The flair of a post with tags. */
export function flairOf(tags: readonly string[]): string {
  return visibleName(tags.join(', '));
}

/** Files at those of the addresses that can be stored. */
export function filesAt(kind: PlatformMedia['kind'], addresses: readonly unknown[]): PlatformMedia[] {
  return addresses.flatMap((address) => {
    const url = storableUrl(address);
    return url === null ? [] : { kind, url, audioUrl: null };
  });
}

/** The fields of a post that follow from its files. */
export function fileFields(media: PlatformMedia[]): Pick<PlatformPost, 'hasMedia' | 'mediaUrls' | 'media'> {
  return { hasMedia: media.length > 0, mediaUrls: media.map(({ url }) => url), media };
}

/** The fields of a post that follow from its link and its files; the first file decides what the post shows. */
export function linkFields(
  url: string | null,
  media: PlatformMedia[],
): Pick<PlatformPost, 'url' | 'postType' | 'hasMedia' | 'mediaUrls' | 'media'> {
  const [first] = media;
  const linked = url === null ? 'self' : 'link';
  const postType = first === undefined ? linked : first.kind === 'image' ? 'image' : 'video';
  return { url, postType, ...fileFields(media) };
}

/** The fields that the comments of a thread have in common. */
export function threadFields({
  id,
  forum,
  permalink,
}: TreePost): Pick<PlatformComment, 'postId' | 'forum' | 'postPermalink'> {
  return { postId: id, forum, postPermalink: permalink };
}
