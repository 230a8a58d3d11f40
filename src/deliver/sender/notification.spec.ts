import type { AlertTriggeredData } from '../../alerts/matching/triggering.js';
import { notificationOf } from './notification.js';

const DASHBOARD = 'https://wss.example.org';
const post = (id: string, extra: object = {}) => ({
  id,
  forum: 'technology',
  title: 'Rust',
  author: 'ann',
  permalink: '/r/technology/comments/1/',
  selftext: 'Body',
  num_comments: 3,
  matched_keywords: ['rust'],
  ...extra,
});
const comment = (id: string, postId: string, extra: object = {}) => ({
  comment_id: id,
  post_id: postId,
  post_permalink: '/r/technology/comments/9/',
  forum: 'technology',
  author: 'bob',
  body: 'On rust',
  score: 1,
  matched_keywords: ['rust'],
  ...extra,
});
const notified = (data: object, type = 'alert.triggered') =>
  notificationOf(
    {
      destination: { workspaceId: 'w' },
      event: { id: 'e', type, data: JSON.stringify({ id: 'alert_1', name: 'Mine', ...data }) },
    } as Parameters<typeof notificationOf>[0],
    { id: 'delivery_1', body: '{}' },
    DASHBOARD,
  );

describe('the notification of an event', () => {
  it('has one entry for each story, and counts all matches but reposts', () => {
    const posts = [
      post('t3_1', {
        sentiment_label: 'positive',
        duplicates: 2,
        highlights: { title: '<mark>Rust</mark>' },
      }),
      post('t3_2', { is_duplicate: true }),
    ];
    const data: Partial<AlertTriggeredData> = {
      matched_posts: posts as never,
      matched_posts_total: 2,
      comments: [
        comment('t1_1', 't3_1'),
        comment('t1_2', 't3_9', { highlights: { body: 'On <mark>rust</mark>' } }),
        comment('t1_3', 't3_9', { score: 0 }),
      ] as never,
      matched_comments_total: 3,
    };
    const { posts: shown, ...rest } = notified(data);
    expect(shown).toEqual([
      {
        id: 't3_1',
        title: 'Rust',
        forum: 'technology',
        author: 'ann',
        permalink: '/r/technology/comments/1/',
        selftext: 'Body',
        numComments: 3,
        sentiment: 'positive',
        reposts: 2,
        highlights: { title: '<mark>Rust</mark>' },
        moreComments: 1,
      },
      {
        id: 't3_9',
        commentId: 't1_2',
        title: 'Comment by bob',
        forum: 'technology',
        author: 'bob',
        permalink: '/r/technology/comments/9/',
        selftext: 'On rust',
        highlights: { selftext: 'On <mark>rust</mark>' },
        moreComments: 1,
      },
    ]);
    expect(rest).toMatchObject({ totalPosts: 1, totalComments: 3, keywords: ['rust'], dashboard: DASHBOARD });
  });

  it('says how large a story is, and has its words and most telling posts', () => {
    const story = { id: 'story_1', title: 'Rust', size: 5, keywords: ['rust', 'release'], posts: ['t3_1'] };
    const data = {
      matched_posts: [post('t3_1', { matched_keywords: [] })],
      matched_posts_total: 1,
      comments: [],
      matched_comments_total: 0,
      story,
    };
    const { posts, ...rest } = notified(data);
    expect(posts.map(({ id }) => id)).toEqual(['t3_1']);
    expect(rest).toMatchObject({ sentence: '5 in one story', keywords: ['rust', 'release'], totalPosts: 1 });
  });

  it('leads to the source in a test, whose post is not stored', () => {
    const data = {
      matched_posts: [post('t3_test')],
      matched_posts_total: 1,
      comments: [],
      matched_comments_total: 0,
    };
    expect(notified(data, 'alert.test').dashboard).toBeUndefined();
  });
});
