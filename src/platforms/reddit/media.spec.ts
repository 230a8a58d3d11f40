import type { WireObject } from '../http/response-parsing.js';
import { mapPost } from './mapper.js';

const ROW = {
  id: 'abc',
  subreddit: 'pictures',
  title: 'A title',
  created_utc: 1_700_000_000,
  url: 'https://example.com/page',
};
const post = (changes: WireObject) => mapPost({ ...ROW, ...changes })!;

describe('type and media of a post', () => {
  const IMAGE = 'https://i.redd.it/x.jpeg';
  const video = (name: string, more: WireObject = {}) => ({
    is_video: true,
    url: 'https://v.redd.it/v1',
    secure_media: { reddit_video: { fallback_url: `https://v.redd.it/v1/${name}`, is_gif: false, ...more } },
  });
  const item = (url: string, more: WireObject = {}) => ({
    status: 'valid',
    e: 'Image',
    s: { u: url },
    ...more,
  });

  it.each<[string, WireObject, string, string[]]>([
    ['self', { is_self: true }, 'self', []],
    ['image by hint', { post_hint: 'image', url: IMAGE }, 'image', [IMAGE]],
    ['image by name', { url: 'https://e.com/a.PNG?x=1' }, 'image', ['https://e.com/a.PNG?x=1']],
    ['embedded video', { post_hint: 'rich:video', url: 'https://youtu.be/x' }, 'video', []],
    ['embed of old', { media: { oembed: { type: 'video' } } }, 'video', []],
    ['video not processed yet', { is_video: true, media: null, url: 'https://v.redd.it/q' }, 'video', []],
    ['video file', { url: 'https://e.com/a.mp4' }, 'video', ['https://e.com/a.mp4']],
    ['page that plays', { url: 'https://i.imgur.com/a.gifv' }, 'video', []],
    [
      'gallery in its order',
      {
        is_gallery: true,
        gallery_data: { items: [{ media_id: 'b' }, { media_id: 'a' }, { media_id: 'gone' }] },
        media_metadata: { a: item('https://p/a?x&y'), b: item('https://p/b') },
      },
      'image',
      ['https://p/b', 'https://p/a?x&y'],
    ],
    [
      'gallery without order',
      { is_gallery: true, gallery_data: null, media_metadata: { a: item('https://p/a') } },
      'image',
      ['https://p/a'],
    ],
    ['gallery whose address is a file', { is_gallery: true, url: IMAGE }, 'image', []],
    ['gallery without anything', { is_gallery: true, gallery_data: null, media_metadata: null }, 'image', []],
    [
      'gallery with invalid and moving items',
      {
        is_gallery: true,
        media_metadata: {
          a: item('https://p/a', { status: 'unprocessed' }),
          b: { status: 'valid', e: 'AnimatedImage', s: { gif: 'https://p/b.gif', mp4: 'https://p/b.mp4' } },
          c: { status: 'valid', e: 'RedditVideo', dashUrl: 'https://p/c.mpd' },
        },
      },
      'image',
      ['https://p/b.gif'],
    ],
    [
      'self with a small picture in its text',
      {
        is_self: true,
        media_metadata: {
          'emote|free_emotes_pack|joy': item('https://p/joy.gif', { t: 'emoji' }),
          a: item('https://p/a'),
        },
      },
      'self',
      ['https://p/a'],
    ],
    [
      'gallery whose items failed',
      {
        is_gallery: true,
        gallery_data: { items: [{ media_id: 'a' }, { media_id: 'b' }] },
        media_metadata: { a: { status: 'failed' }, b: { status: 'unprocessed' } },
      },
      'image',
      [],
    ],
    [
      'self with inline media',
      { is_self: true, media_metadata: { a: item('https://p/a') } },
      'self',
      ['https://p/a'],
    ],
  ])('%s', (_name, changes, postType, mediaUrls) => {
    const mapped = post(changes);
    expect(mapped).toMatchObject({ postType, mediaUrls });
    expect(mapped.hasMedia).toBe(mediaUrls.length > 0 || postType === 'image' || postType === 'video');
  });

  it.each<[string, WireObject, string | null]>([
    ['DASH_720.mp4?source=fallback', {}, 'https://v.redd.it/v1/DASH_AUDIO_128.mp4'],
    ['CMAF_720.mp4?source=fallback', { has_audio: true }, 'https://v.redd.it/v1/CMAF_AUDIO_128.mp4'],
    ['DASH_4_8_M', {}, 'https://v.redd.it/v1/audio'],
    ['DASH_720.mp4', { has_audio: false }, null],
    ['DASH_720.mp4', { is_gif: true }, null],
  ])('video %s %j has its audio at %s', (name, more, audioUrl) => {
    const mapped = post(video(name, more));
    expect(mapped.postType).toBe('video');
    expect(mapped.media).toMatchObject([{ kind: 'video', url: `https://v.redd.it/v1/${name}`, audioUrl }]);
    const others = mapped.media[0]!.otherAudioUrls ?? [];
    const names =
      audioUrl === null ? [] : ['DASH_audio.mp4', 'audio', 'DASH_AUDIO_64.mp4', 'CMAF_AUDIO_64.mp4'];
    for (const other of names.map((file) => `https://v.redd.it/v1/${file}`))
      expect([audioUrl, ...others]).toContain(other);
    expect(others).not.toContain(audioUrl);
  });

  it('a preview is used only without other files', () => {
    const preview = { images: [{ source: { url: 'https://p/s.jpg?a=1&b=2' } }] };
    expect(post({ preview })).toMatchObject({
      media: [{ kind: 'preview', url: 'https://p/s.jpg?a=1&b=2', audioUrl: null }],
      mediaUrls: [],
      hasMedia: false,
    });
    expect(post({ preview, url: IMAGE }).mediaUrls).toEqual([IMAGE]);
  });

  it("an image has the platform's own copy as a fallback", () => {
    const preview = { images: [{ source: { url: 'https://p/s.jpg' } }] };
    const copies = [{ u: 'https://p/108.jpg' }, { u: 'https://p/960.jpg' }];
    const gallery = { is_gallery: true, media_metadata: { a: item('https://p/a', { p: copies }) } };
    expect(post({ preview, url: IMAGE }).media).toMatchObject([
      { url: IMAGE, fallbackUrl: 'https://p/s.jpg' },
    ]);
    expect(post(gallery).media).toMatchObject([{ url: 'https://p/a', fallbackUrl: 'https://p/960.jpg' }]);
    expect(post({ url: IMAGE }).media).toEqual([{ kind: 'image', url: IMAGE, audioUrl: null }]);
  });

  it('a crosspost has the media of its parent', () => {
    const parent = video('DASH_720.mp4', { has_audio: false });
    const crosspost = { url: '/r/other/comments/1/x/', crosspost_parent_list: [parent] };
    expect(post(crosspost)).toMatchObject({
      postType: 'video',
      mediaUrls: ['https://v.redd.it/v1/DASH_720.mp4'],
    });
    expect(post({ ...crosspost, url: 'https://e.com/elsewhere' }).postType).toBe('link');
    expect(post({ url: '/r/o/', crosspost_parent_list: [{ is_self: true }] }).postType).toBe('link');
    expect(post({ crosspost_parent_list: [null] }).postType).toBe('link');
    expect(post({ crosspost_parent_list: [] }).postType).toBe('link');
    const gone = { is_gallery: true, gallery_data: null, media_metadata: null, author: '[deleted]' };
    expect(post({ ...crosspost, crosspost_parent_list: [gone] })).toMatchObject({
      postType: 'image',
      mediaUrls: [],
    });
  });
});
