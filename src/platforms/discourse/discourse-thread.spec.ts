import { DiscourseThread } from './discourse-thread.js';
import type { DiscoursePost } from './discourse-wire.js';

const post = (number: number, more: Partial<DiscoursePost> = {}): DiscoursePost => ({
  id: 100 + number,
  number,
  replyTo: null,
  isText: true,
  isDeleted: false,
  isHidden: false,
  author: 'ann',
  userId: 1,
  html: '<p>text</p>',
  likes: 0,
  createdUtc: new Date(0),
  ...more,
});
const commentsOf = (posts: DiscoursePost[], opening = post(1)) =>
  new DiscourseThread('s', { id: 'dc_s_9', forum: 'f', permalink: '/p' }, { posts: [opening] }).add(posts);

describe('a topic of Discourse', () => {
  it.each([
    [1, 1, true],
    [1, 2, false],
    [null, null, false],
    [null, 1, false],
    [1, null, false],
  ])('opened by the member %p has a reply of %p by its asker: %p', (asker, member, isSubmitter) => {
    const [comment] = commentsOf([post(2, { userId: member })], post(1, { userId: asker }));
    expect(comment).toMatchObject({ isSubmitter });
  });

  it.each([
    ['the topic', null, 'dc_s_9', 0],
    ['its first post', 1, 'dc_s_9', 0],
    ['a reply', 2, 'dc_s_102', 1],
    ['a note', 3, 'dc_s_103', 1],
    ['a later post', 9, 'dc_s_9', 0],
    ['itself', 5, 'dc_s_9', 0],
  ])('has a reply to %s', (_, replyTo, parentId, depth) => {
    const posts = [post(2), post(3, { isText: false }), post(4, { isDeleted: true }), post(5, { replyTo })];
    expect(commentsOf(posts).map(({ id }) => id)).toEqual(['dc_s_102', 'dc_s_105']);
    expect(commentsOf(posts).at(-1)).toMatchObject({ parentId, depth });
  });

  it('has each post once, without its first', () => {
    expect(commentsOf([post(1), post(2), post(2)])).toHaveLength(1);
  });
});
