import { STOP_REASONS } from '../../jobs/stop-reasons.js';
import { commentsMissing, listingEnded, postsStored } from './sentences.js';

describe('the sentences of the job log', () => {
  it('use singular and plural', () => {
    expect(commentsMissing(1)).toBe(
      '1 comment on a post could not be read: the source lists more than it shows',
    );
    expect(commentsMissing(2)).toBe(
      '2 comments on a post could not be read: the source lists more than it shows',
    );
    expect(postsStored(1, 101)).toBe('1 post stored, 101 in total');
    expect(postsStored(0, 100)).toBe('0 posts stored, 100 in total');
  });

  it.each(STOP_REASONS)('explain that a listing ended by %s', (reason) => {
    expect(listingEnded(reason)).toMatch(/^The listing ended: (the|all) [a-z ]+$/);
  });
});
