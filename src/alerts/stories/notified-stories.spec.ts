import { notifiedStories } from './notified-stories.js';
import type { MatchedComment, MatchedPost } from '../matching/triggering.js';

const post = (id: string, comments: number, extra: Partial<MatchedPost> = {}) =>
  ({ id, num_comments: comments, ...extra }) as MatchedPost;
const comment = (id: string, postId: string, score = 0, extra: Partial<MatchedComment> = {}) =>
  ({ comment_id: id, post_id: postId, score, ...extra }) as MatchedComment;
const shown = (posts: MatchedPost[], comments: MatchedComment[] = []) =>
  notifiedStories({ posts, comments }).map((story) => [
    story.post?.id ?? null,
    ...story.comments.map(({ comment_id: id }) => id),
  ]);

describe('the stories of a notification', () => {
  it('are the most discussed posts first, in their order where they are equal', () => {
    expect(shown([post('a', 1), post('b', 9), post('c', 1)])).toEqual([['b'], ['a'], ['c']]);
  });

  it('have matched comments with their post, best first', () => {
    expect(shown([post('a', 0)], [comment('1', 'a', 3), comment('2', 'a', 7)])).toEqual([['a', '2', '1']]);
  });

  it('are one for the matched comments of a thread whose post did not match', () => {
    const comments = [comment('1', 'y'), comment('2', 'z'), comment('3', 'z')];
    expect(shown([post('a', 1)], comments)).toEqual([[null, '2', '3'], ['a'], [null, '1']]);
  });

  it('leave out reposts', () => {
    const repost = { is_duplicate: true as const };
    expect(shown([post('a', 1, repost)], [comment('1', 'z', 0, repost)])).toEqual([]);
  });
});
