import { AlertSummaryDto } from '../alert/alert.dto.js';
import { type AlertablePost, testTriggering, triggering } from './triggering.js';

const post = (number: number, selftext = ''): AlertablePost => ({
  id: `t3_${number}`,
  forum: 'technology',
  title: `Title ${number}`,
  author: 'someone',
  createdUtc: new Date(0),
  permalink: `/r/technology/comments/${number}/`,
  url: null,
  score: 1,
  numComments: 0,
  selftext,
});
const matchOf = ({ id }: AlertablePost, keywords = ['rust']) => ({
  alertId: 'an-alert',
  postId: id,
  keywords,
});
const event = (posts: AlertablePost[], jobId = 'a-job', alertId = 'an-alert') =>
  triggering(
    jobId,
    new AlertSummaryDto(),
    alertId,
    posts.map((one) => matchOf(one)),
    { posts, comments: [] },
  );

describe('the event of an alert', () => {
  it('carries a hundred posts and counts them all', () => {
    const { data } = event(Array.from({ length: 101 }, (_, number) => post(number)));
    expect(data.matched_posts).toHaveLength(100);
    expect(data.matched_posts_total).toBe(101);
  });

  it('carries the first thousand characters of a body, without cutting one in half', () => {
    const { data } = event([post(1, '😀'.repeat(1_001)), post(2, 'a'.repeat(1_001))]);
    expect(data.matched_posts.map(({ selftext }) => selftext)).toEqual([
      '😀'.repeat(1_000),
      'a'.repeat(1_000),
    ]);
  });

  it('has a different key for each alert, job and first post', () => {
    const { uniqueKey } = event([post(1)]);
    expect(event([post(1), post(2)]).uniqueKey).toBe(uniqueKey);
    expect(event([post(2)]).uniqueKey).not.toBe(uniqueKey);
    expect(event([post(1)], 'another-job').uniqueKey).not.toBe(uniqueKey);
    expect(event([post(1)], 'a-job', 'another-alert').uniqueKey).not.toBe(uniqueKey);
  });

  it('shows the matched posts in the order of the batch, each with all its keywords', () => {
    const [first, unmatched, last] = [post(1), post(2), post(3)];
    const matches = [matchOf(last, ['go', 'rust']), matchOf(first)];
    const posts = [first, unmatched, last];
    const { data, ...rest } = triggering('a-job', new AlertSummaryDto(), 'an-alert', matches, {
      posts,
      comments: [],
    });
    expect(rest).toMatchObject({ type: 'alert.triggered', subjectId: 'an-alert' });
    expect(data.matched_posts.map(({ id, matched_keywords }) => [id, matched_keywords])).toEqual([
      [first.id, ['rust']],
      [last.id, ['go', 'rust']],
    ]);
  });

  it('shows matched comments beside posts with the same id', () => {
    const comment = {
      commentId: 't3_1',
      postId: 't3_9',
      postPermalink: '/r/technology/comments/9/',
      forum: 'technology',
      author: 'someone',
      body: 'Body',
      score: 2,
      createdUtc: new Date(0),
    };
    const matches = [{ alertId: 'an-alert', postId: 'comment:t3_1', keywords: [] }];
    const batch = { posts: [post(1)], comments: [comment] };
    const { data } = triggering('a-job', new AlertSummaryDto(), 'an-alert', matches, batch);
    expect(data).toMatchObject({
      posts: [],
      comments: [{ comment_id: 't3_1', post_id: 't3_9', body: 'Body', matched_keywords: [] }],
      matched_comments_total: 1,
    });
  });

  it('shows every field of a post', () => {
    const shown = { ...post(1, 'Body'), url: 'https://example.com/', score: 7, numComments: 3 };
    expect(event([shown]).data.matched_posts).toEqual([
      {
        id: 't3_1',
        forum: 'technology',
        title: 'Title 1',
        author: 'someone',
        created_utc: '1970-01-01T00:00:00.000Z',
        permalink: '/r/technology/comments/1/',
        url: 'https://example.com/',
        score: 7,
        num_comments: 3,
        selftext: 'Body',
        matched_keywords: ['rust'],
      },
    ]);
  });
});

describe('the test event of an alert', () => {
  const alert = Object.assign(new AlertSummaryDto(), {
    name: 'Mine',
    keywords: ['rust', 'go'],
    created_at: new Date(0),
  });

  it.each([
    [['space', 'technology'], 'space'],
    [[], 'test'],
  ])('for the forums %j has one post in %s with the first keyword', (forums, forum) => {
    expect(testTriggering({ ...alert, forums })).toMatchObject({
      name: 'Mine',
      matched_posts: [{ forum, matched_keywords: ['rust'] }],
      matched_posts_total: 1,
    });
  });
});
