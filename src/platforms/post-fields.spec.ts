import { authorNamed, fileFields, filesAt, linkFields } from './post-fields.js';

const LINK = 'https://a.example/';
const image = filesAt('image', ['https://i.example/1.png']);
const video = filesAt('video', ['https://i.example/2.mp4']);
const preview = filesAt('preview', ['https://i.example/3.jpg']);

describe('the fields of a post', () => {
  it.each([
    [null, [], 'self'],
    [LINK, [], 'link'],
    [LINK, image, 'image'],
    [null, [...video, ...image], 'video'],
    [null, preview, 'video'],
  ])('of the link %s with files say what it shows', (url, files, postType) => {
    const mediaUrls = files.map((file) => file.url);
    const hasMedia = files.length > 0;
    expect(linkFields(url, files)).toEqual({ url, postType, hasMedia, mediaUrls, media: files });
  });

  it('leave out files whose address cannot be stored', () => {
    expect(fileFields(filesAt('image', [null, '', 5])).hasMedia).toBe(false);
  });

  it('name an author, or say that there is none', () => {
    expect([authorNamed('ann'), authorNamed(''), authorNamed(undefined)]).toEqual([
      'ann',
      '[deleted]',
      '[deleted]',
    ]);
  });
});
