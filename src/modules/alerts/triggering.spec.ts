import { AlertSummaryDto } from './dto/alert.dto.js';
import { type AlertablePost, triggering } from './triggering.js';

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
const event = (posts: AlertablePost[]) =>
  triggering(
    'a-job',
    new AlertSummaryDto(),
    'an-alert',
    posts.map(({ id }) => ({ alertId: 'an-alert', postId: id, keywords: ['rust'] })),
    posts,
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
    expect(event([post(1), post(2)]).uniqueKey).toBe(event([post(1)]).uniqueKey);
    expect(event([post(2)]).uniqueKey).not.toBe(event([post(1)]).uniqueKey);
  });
});
