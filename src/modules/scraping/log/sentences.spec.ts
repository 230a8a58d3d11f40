import { STOP_REASONS } from '../../jobs/job.entity.js';
import { commentsMissing, listingEnded, postsStored, sentenceOf } from './sentences.js';

describe('the sentences of the job log', () => {
  it('use singular and plural', () => {
    expect(commentsMissing(1)).toBe('The platform did not deliver 1 comment on a post');
    expect(commentsMissing(2)).toBe('The platform did not deliver 2 comments on a post');
    expect(postsStored(1, 101)).toBe('1 post stored, 101 in total');
    expect(postsStored(0, 100)).toBe('0 posts stored, 100 in total');
  });

  it.each(STOP_REASONS)('explain that a listing ended by %s', (reason) => {
    expect(listingEnded(reason)).toMatch(/^The listing ended: (the|all) [a-z ]+$/);
  });

  it('explain why a listing ended when the stored sentence contains only the code', () => {
    const entry = { event: 'listing_ended', message: 'The listing ended: listing_cap' };
    expect(sentenceOf({ ...entry, details: { stop_reason: 'listing_cap' } })).toBe(
      'The listing ended: the platform lists no older posts',
    );
  });

  it.each([
    ['listing_ended', { stop_reason: 'unknown' }],
    ['media_left_out', { stop_reason: 'limit' }],
    ['listing_ended', {}],
  ])('are returned as stored for %s with %j', (event, details) => {
    expect(sentenceOf({ event, message: 'As stored', details })).toBe('As stored');
  });
});
