import { type ShortPost, shortPost, shortReply } from './short-posts.js';

const text: ShortPost = {
  id: 'x_1',
  author: 'ann',
  createdUtc: new Date(0),
  isReply: false,
  replies: 3,
  likes: 2,
  text: 'First line\nsecond line',
  isUnindexed: false,
  languages: ['en'],
};

describe('a short text', () => {
  it('has its first line as its title, or says what it is', () => {
    expect(shortPost(text, 'Post').title).toBe('First line');
    expect(shortPost({ ...text, text: '' }, 'Post').title).toBe('Post of ann');
  });

  it.each([
    ['RE: https://e.org/1\n\nMy own words\nmore', 'My own words'],
    ['RE:\u00a0https://e.org/1\n\nMy own words', 'My own words'],
    ['RE:\nhttps://e.org/1\nMy own words', 'My own words'],
    ['RE: https://e.org/1', 'RE: https://e.org/1'],
    ['RE: the plan\nmore', 'RE: the plan'],
    [`${'漢'.repeat(99)}😀${'字'.repeat(9)}`, `${'漢'.repeat(99)}…`],
  ])('titled by its own words: %j', (own, title) =>
    expect(shortPost({ ...text, text: own }, 'Post').title).toBe(title),
  );

  it('has comments of its own only if it is no reply', () => {
    expect(shortPost(text, 'Post').numComments).toBe(3);
    expect(shortPost({ ...text, isReply: true }, 'Post').numComments).toBe(0);
  });

  it('is a comment of the thread that it replies in', () => {
    const post = { id: 'x_0', forum: 'x:f', permalink: '/p' };
    const place = { parentId: 'x_0', depth: 0, isSubmitter: true };
    expect(shortReply(text, post, place)).toMatchObject({
      id: 'x_1',
      postId: 'x_0',
      forum: 'x:f',
      postPermalink: '/p',
      body: text.text,
      score: 2,
      ...place,
    });
  });
});
