import type { Forum, PostKind } from '../data/forums.js';
import { hash } from '../data/random.js';
import type { ContentIds } from '../data/numbered-ids.js';
import type { Escape } from './things.js';

const EXTENSIONS = ['jpg', 'png', 'gif', 'jpg'] as const;
const WIDTHS = [108, 216, 320, 640] as const;
/** The platform uses the unregistered type `image/jpg` in gallery metadata. */
const GALLERY_TYPES = { jpg: 'image/jpg', png: 'image/png', gif: 'image/gif' } as const;

/** The data besides the post that its media fields depend on. */
export interface MediaContext {
  ids: ContentIds;
  seed: number;
  origin: string;
  escape: Escape;
}

/** The media fields of a post. Fields that the platform omits are omitted too. */
export function mediaFields(
  forum: Forum,
  index: number,
  kind: PostKind,
  context: MediaContext,
): Record<string, unknown> {
  const id = context.ids.post(forum.number, index);
  const bits = hash(context.seed, 51, forum.number, index);
  switch (kind) {
    case 'image': {
      const extension = EXTENSIONS[bits % EXTENSIONS.length]!;
      return {
        post_hint: 'image',
        url: `${context.origin}/media/image/${id}.${extension}`,
        is_reddit_media_domain: true,
        ...preview(`${id}.${extension}`, bits, context),
      };
    }
    case 'gallery':
      return gallery(id, bits, context);
    case 'video':
      return video(id, bits, context);
    case 'link':
      return bits % 2 === 0 ? { post_hint: 'link', ...preview(`${id}.jpg`, bits, context) } : {};
    case 'self':
    case 'crosspost':
      return {};
  }
}

function preview(file: string, bits: number, context: MediaContext): Record<string, unknown> {
  const ratio = 0.5 + (bits % 100) / 100;
  const at = (width: number, crop: string) => ({
    url: context.escape(
      `${context.origin}/media/preview/${file}?width=${width}${crop}&auto=webp&s=${(bits ^ width).toString(16)}`,
    ),
    width,
    height: Math.round(width * ratio),
  });
  const images = [
    {
      source: at(1080, '&format=pjpg'),
      resolutions: WIDTHS.map((width) => at(width, '&crop=smart')),
      variants: {},
      id: `pv${file.replace(/\W/g, '')}`,
    },
  ];
  return {
    preview: { images, enabled: true },
    thumbnail: at(140, '&crop=smart').url,
    thumbnail_width: 140,
    thumbnail_height: Math.round(140 * ratio),
  };
}

function gallery(id: string, bits: number, context: MediaContext): Record<string, unknown> {
  const items = Array.from({ length: 2 + (bits % 4) }, (_, position) => {
    const extension = EXTENSIONS[(bits >>> (position * 2)) % EXTENSIONS.length]!;
    return { mediaId: `${id}g${position}`, extension };
  });
  const failed = (bits >>> 12) % 30 === 0 ? items.length - 1 : -1;
  const metadata = items.map(({ mediaId, extension }, position) => {
    if (position === failed) return [mediaId, { status: 'failed' }] as const;
    const address = (width: number, more: string) =>
      context.escape(
        `${context.origin}/media/preview/${mediaId}.${extension}?width=${width}${more}&auto=webp&s=${bits.toString(16)}`,
      );
    const source = {
      y: 810,
      x: 1080,
      ...(extension === 'gif'
        ? { gif: `${context.origin}/media/image/${mediaId}.gif` }
        : { u: address(1080, '&format=pjpg') }),
    };
    return [
      mediaId,
      {
        status: 'valid',
        e: extension === 'gif' ? 'AnimatedImage' : 'Image',
        m: GALLERY_TYPES[extension],
        p: WIDTHS.map((width) => ({
          y: Math.round(width * 0.75),
          x: width,
          u: address(width, '&crop=smart'),
        })),
        s: source,
        id: mediaId,
      },
    ] as const;
  });
  const listed = items.map(({ mediaId }, position) => ({
    caption: position === 0 ? 'First & best' : '',
    media_id: mediaId,
    is_deleted: false,
    id: 700_000_000 + ((bits + position) % 100_000_000),
  }));
  return {
    is_gallery: true,
    url: `${context.origin}/gallery/${id}`,
    media_metadata: Object.fromEntries(metadata),
    gallery_data: (bits >>> 16) % 40 === 0 ? null : { items: listed },
    thumbnail: '',
  };
}

function video(id: string, bits: number, context: MediaContext): Record<string, unknown> {
  const base = `${context.origin}/media/video/${id}`;
  const common = {
    is_video: true,
    post_hint: 'hosted:video',
    url: base,
    is_reddit_media_domain: true,
    ...preview(`${id}.jpg`, bits, context),
  };
  // Not processed yet: the platform shows this only by omitting the stream.
  if ((bits >>> 8) % 50 === 0) return common;
  const isGif = (bits >>> 14) % 12 === 0;
  const media = {
    reddit_video: {
      bitrate_kbps: 2400,
      fallback_url: `${base}/CMAF_720.mp4?source=fallback`,
      has_audio: !isGif && (bits >>> 20) % 4 !== 0,
      height: 720,
      width: 1280,
      scrubber_media_url: `${base}/CMAF_96.mp4`,
      dash_url: context.escape(`${base}/DASHPlaylist.mpd?a=${bits}&v=1&f=sd`),
      duration: 5 + (bits % 120),
      hls_url: context.escape(`${base}/HLSPlaylist.m3u8?a=${bits}&v=1&f=sd`),
      is_gif: isGif,
      transcoding_status: 'completed',
    },
  };
  return { ...common, media, secure_media: media };
}
