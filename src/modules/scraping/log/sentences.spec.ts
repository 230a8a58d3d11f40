import { STOP_REASONS } from '../../jobs/job.entity.js';
import { commentsMissing, listingEnded, postsStored } from './sentences.js';

describe('the sentences of the log of a job', () => {
  it('count one and many', () => {
    expect(commentsMissing(1)).toBe('The platform did not deliver 1 comment of a post');
    expect(commentsMissing(2)).toBe('The platform did not deliver 2 comments of a post');
    expect(postsStored(1, 101)).toBe('1 post stored, 101 in all');
    expect(postsStored(0, 100)).toBe('0 posts stored, 100 in all');
  });

  it.each(STOP_REASONS)('say in words that a listing ended by %s', (reason) => {
    expect(listingEnded(reason)).toMatch(/^The listing ended: (the|everything) [a-z ]+$/);
  });
});
