import { mapComment, mapPost } from '../mapper.js';
import { readFeedItems } from './reddit-feed-items.js';

const escaped = (html: string): string =>
  html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const added = (link: string): string =>
  ` &#32; submitted by &#32; <a href="https://www.reddit.com/user/ann"> /u/ann </a> <br/> <span><a href="${link}">[link]</a></span> &#32; <span><a href="https://www.reddit.com/r/Rust/comments/abc/a_title/">[comments]</a></span>`;
const entry = (html: string, more = '', link = 'https://www.reddit.com/r/Rust/comments/abc/a_title/') =>
  `<entry><author><name>/u/ann</name><uri>https://www.reddit.com/user/ann</uri></author><category term="Rust" label="r/Rust"/><content type="html">${escaped(html)}</content>${more}<link href="${link}" /><updated>2026-01-02T03:04:05+00:00</updated><title>Tom &amp;amp; &lt;b&gt;</title></entry>`;
const feed = (...entries: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><id>/r/rust/new/.rss</id><title>new</title>${entries.join('')}</feed>`;
const SELF = `<!-- SC_OFF --><div class="md"><p>One</p>\n\n<p>two &amp; <a href="https://x.example">x</a></p>\n</div><!-- SC_ON -->`;

describe('an entry of a feed of Reddit', () => {
  const rowOf = (...of: Parameters<typeof entry>) => readFeedItems(feed(entry(...of)))![0]!.row!;

  it('is a post with what its author wrote, without what Reddit adds', () => {
    const own = 'https://www.reddit.com/r/Rust/comments/abc/a_title/';
    const post = mapPost(
      rowOf(SELF + added(own), '<id>t3_abc</id><published>2026-01-01T00:00:00+00:00</published>'),
    );
    expect(post).toMatchObject({
      id: 't3_abc',
      forum: 'Rust',
      title: 'Tom &amp; <b>',
      author: 'ann',
      createdUtc: new Date('2026-01-01T00:00:00Z'),
      permalink: '/r/Rust/comments/abc/a_title/',
      url: own,
      selftext: 'One\n\ntwo & x',
      postType: 'self',
      score: 0,
      media: [],
    });
  });

  it('is a link with the address that it links and the picture of it', () => {
    const row = rowOf(
      added('https://i.example/a.html?x=1&amp;y=2'),
      '<id>t3_abc</id><media:thumbnail url="https://t.example/1.jpg" />',
    );
    expect(mapPost(row)).toMatchObject({
      postType: 'link',
      url: 'https://i.example/a.html?x=1&y=2',
      selftext: '',
      media: [{ kind: 'preview', url: 'https://t.example/1.jpg', audioUrl: null }],
    });
  });

  it.each([
    ['https://i.redd.it/a.png', 'image'],
    ['https://v.redd.it/abc', 'video'],
    ['https://www.reddit.com/gallery/abc', 'image'],
  ])('with the link %s is of type %s', (link, postType) => {
    expect(mapPost(rowOf(added(link), '<id>t3_abc</id>'))).toMatchObject({ postType });
  });

  it('is a comment below the post that its address names', () => {
    const link = 'https://www.reddit.com/r/Rust/comments/abc/a_title/xyz/';
    const [item] = readFeedItems(feed(entry(SELF, '<id>t1_xyz</id>', link)))!;
    expect(item).toMatchObject({ id: 't1_xyz', postId: 't3_abc', time: Date.UTC(2026, 0, 2, 3, 4, 5) });
    const post = { id: 't3_abc', forum: 'Rust', permalink: '/r/Rust/comments/abc/a_title/' };
    const context = { post, postAuthor: 'ann', postCreatedUtc: null, depth: 0 };
    expect(mapComment(item!.row!, context)).toMatchObject({
      parentId: 't3_abc',
      body: 'One\n\ntwo & x',
      isSubmitter: true,
    });
  });

  it('is left out when it is neither, and empty when its time cannot be read', () => {
    expect(readFeedItems(feed(entry(SELF, '<id>t5_2qh0u</id>')))).toEqual([]);
    const untimed = entry(SELF, '<id>t3_abc</id>').replace(/<updated>.*<\/updated>/, '');
    expect(readFeedItems(feed(untimed))).toMatchObject([{ id: 't3_abc', row: null }]);
  });

  it.each([
    ['a page', '<!doctype html><html><body>no</body></html>'],
    ['RSS', '<rss><channel></channel></rss>'],
    ['no XML', '{"error": 1}'],
    ['a bomb', '<!DOCTYPE feed [<!ENTITY a "&b;&b;">]><feed></feed>'],
  ])('is not looked for in %s', (_case, document) => {
    expect(readFeedItems(document)).toBeNull();
  });
});
