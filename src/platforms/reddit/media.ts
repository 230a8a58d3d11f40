import { type PlatformMedia, type PostType } from '../platform.js';
import { asArray, asObject, asText, storableUrl, type WireObject } from '../http/response-parsing.js';

const IMAGE_FILE = /\.(?:jpe?g|png|gif|webp|bmp|avif)$/i;
const VIDEO_FILE = /\.(?:mp4|webm|mov|gifv)$/i;
const DOWNLOADABLE_VIDEO_FILE = /\.(?:mp4|webm|mov)$/i;

/** Small pictures inside a text are listed among the post's media, with ids that begin with this. */
const EMOTE = 'emote|';

/** Maximum number of files kept for one post. The platform's own limit for galleries is 20. */
const MAX_MEDIA = 100;

/** Type and files of a post. */
export interface PostMedia {
  postType: PostType;
  /** Files of the post, each in its best resolution. Previews are included only if there is nothing else. */
  media: PlatformMedia[];
}

/** Type and media of a post row. A crosspost that only links to its parent has the parent's. */
export function mediaOf(row: WireObject, droppedUrls?: Set<string>): PostMedia {
  const own = ownMedia(row, droppedUrls);
  const parent = asObject(asArray(row.crosspost_parent_list)[0]);
  if (!parent || own.media.some((medium) => medium.kind !== 'preview')) return own;
  const url = asText(row.url);
  const linksToParent = url === null || url.startsWith('/') || url === asText(parent.url);
  if (!linksToParent) return own;
  const inherited = ownMedia(parent, droppedUrls);
  const parentType =
    inherited.postType === 'image' || inherited.postType === 'video' ? inherited.postType : null;
  return {
    postType: parentType ?? own.postType,
    media: inherited.media.length > 0 ? inherited.media : own.media,
  };
}

function ownMedia(row: WireObject, droppedUrls?: Set<string>): PostMedia {
  const postType = typeOf(row);
  const found = [
    ...videos(row, postType, droppedUrls),
    ...galleryItems(row, droppedUrls),
    ...externalFile(row, postType),
  ];
  return { postType, media: found.length > 0 ? distinct(found) : distinct(previews(row, droppedUrls)) };
}

function typeOf(row: WireObject): PostType {
  const hint = row.post_hint;
  const path = pathOf(storableUrl(row.url));
  if (row.is_gallery === true) return 'image';
  if (row.is_video === true || hint === 'hosted:video' || redditVideo(row)) return 'video';
  if (row.is_self === true || hint === 'self') return 'self';
  if (hint === 'image' || IMAGE_FILE.test(path)) return 'image';
  if (hint === 'rich:video' || VIDEO_FILE.test(path) || row.domain === 'v.redd.it') return 'video';
  const embed = asObject(row.secure_media) ?? asObject(row.media);
  return asObject(embed?.oembed)?.type === 'video' ? 'video' : 'link';
}

function redditVideo(row: WireObject): WireObject | null {
  for (const holder of [asObject(row.secure_media), asObject(row.media)]) {
    const video = asObject(holder?.reddit_video);
    if (video) return video;
  }
  return null;
}

function videos(row: WireObject, postType: PostType, droppedUrls?: Set<string>): PlatformMedia[] {
  const hosted = redditVideo(row);
  // A video embedded from another site has no file, but the platform stores a muted copy for its player.
  const copy = postType === 'video' ? asObject(asObject(row.preview)?.reddit_video_preview) : null;
  const url = storableUrl((hosted ?? copy)?.fallback_url, droppedUrls);
  if (!url) return [];
  const [audioUrl = null, ...others] = hosted === null ? [] : audiosOf(hosted, url);
  return [{ kind: 'video', url, audioUrl, ...(others.length > 0 && { otherAudioUrls: others }) }];
}

/** Names of the audio file next to a video stream, by year, newest first. */
const AUDIO_NAMES = [
  'CMAF_AUDIO_128.mp4',
  'CMAF_AUDIO_64.mp4',
  'DASH_AUDIO_128.mp4',
  'DASH_AUDIO_64.mp4',
  'DASH_audio.mp4',
  'audio',
] as const;

/** The likeliest of these names for a stream with a given name. */
const FIRST_AUDIO: readonly [RegExp, (typeof AUDIO_NAMES)[number]][] = [
  [/^CMAF_\d+\.mp4$/, 'CMAF_AUDIO_128.mp4'],
  [/^DASH_\d+\.mp4$/, 'DASH_AUDIO_128.mp4'],
  [/^DASH_/, 'audio'],
];

/** URLs at which a video stream's sound may lie, the likeliest first; none for a silent video. */
function audiosOf(video: WireObject, streamUrl: string): string[] {
  const [, folder, file = ''] = /^(https?:\/\/[^?#\s]*\/)([^/?#]*)/.exec(streamUrl) ?? [];
  if (folder === undefined || video.has_audio === false || video.is_gif === true) return [];
  const first = FIRST_AUDIO.find(([name]) => name.test(file))?.[1];
  return [...new Set([...(first ? [first] : []), ...AUDIO_NAMES])].map((name) => folder + name);
}

/** Gallery items in the gallery's order, or in the order of the metadata if it has none. */
function galleryItems(row: WireObject, droppedUrls?: Set<string>): PlatformMedia[] {
  const metadata = asObject(row.media_metadata);
  if (!metadata) return [];
  const ordered = asArray(asObject(row.gallery_data)?.items).flatMap((item) => {
    const id = asText(asObject(item)?.media_id);
    return id === null ? [] : [id];
  });
  const described = Object.keys(metadata).filter((id) => !id.startsWith(EMOTE));
  return (ordered.length > 0 ? ordered : described).flatMap((id) => {
    const medium = galleryItem(asObject(metadata[id]), droppedUrls);
    return medium ? [medium] : [];
  });
}

function galleryItem(item: WireObject | null, droppedUrls?: Set<string>): PlatformMedia | null {
  if (!item || item.status !== 'valid') return null;
  const source = asObject(item.s);
  const image = storableUrl(source?.u, droppedUrls) ?? storableUrl(source?.gif, droppedUrls);
  // Smaller copies, the largest last.
  if (image) return imageAt(image, storableUrl(asObject(asArray(item.p).at(-1))?.u));
  const video = storableUrl(source?.mp4, droppedUrls);
  return video ? { kind: 'video', url: video, audioUrl: null } : null;
}

function externalFile(row: WireObject, postType: PostType): PlatformMedia[] {
  const url = storableUrl(row.url);
  if (!url || !/^https?:\/\//i.test(url) || row.is_gallery === true || row.is_self === true) return [];
  const path = pathOf(url);
  if (postType === 'image' && IMAGE_FILE.test(path)) return [imageAt(url, previews(row)[0]?.url ?? null)];
  if (postType === 'video' && DOWNLOADABLE_VIDEO_FILE.test(path) && !redditVideo(row))
    return [{ kind: 'video', url, audioUrl: null }];
  return [];
}

function imageAt(url: string, copy: string | null): PlatformMedia {
  return { kind: 'image', url, audioUrl: null, ...(copy !== null && copy !== url && { fallbackUrl: copy }) };
}

function previews(row: WireObject, droppedUrls?: Set<string>): PlatformMedia[] {
  return asArray(asObject(row.preview)?.images).flatMap((image) => {
    const url = storableUrl(asObject(asObject(image)?.source)?.url, droppedUrls);
    return url ? [{ kind: 'preview' as const, url, audioUrl: null }] : [];
  });
}

function distinct(media: PlatformMedia[]): PlatformMedia[] {
  return [...new Map(media.map((medium) => [medium.url, medium])).values()].slice(0, MAX_MEDIA);
}

function pathOf(url: string | null): string {
  return (url ?? '').replace(/[?#].*$/s, '');
}
