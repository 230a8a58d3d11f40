import { listingRequest, lookUpRequest, PAGE_LIMIT, readListing } from './listing-request.js';

const page = (after: unknown): unknown => ({ kind: 'Listing', data: { children: [], after } });

describe('a page of a listing', () => {
  it.each([
    ['t3_next', 't3_next'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['x'.repeat(256), null],
    ['t3_this', null],
    ['', null],
    [5, null],
    [null, null],
  ])('that ends with the cursor %j continues with %j', (cursor, after) => {
    expect(readListing(page(cursor), 't3_this')!.after).toBe(after);
  });

  it.each([null, [], {}, { kind: 'Listing', data: {} }, { kind: 't3', data: { children: [] } }])(
    'is not read from %j',
    (json) => expect(readListing(json, null)).toBeNull(),
  );

  it('is requested for at most 100 posts by id', () => {
    const ids = Array.from({ length: PAGE_LIMIT + 1 }, (_, at) => `t3_${at}`);
    expect(lookUpRequest(ids.slice(1)).params.id).toBe(ids.slice(1).join(','));
    expect(() => lookUpRequest(ids)).toThrow('At most 100 posts');
  });

  it('is requested for names of at most 255 characters', () => {
    const request = (name: string) =>
      listingRequest({ target: { type: 'forum', name }, name: 'top/week', wanted: 1 }, 't3_a');
    expect(request('f'.repeat(255)).params).toEqual({ limit: '100', t: 'week', after: 't3_a' });
    expect(() => request('f'.repeat(256))).toThrow('There is no forum');
    expect(() => request('...')).toThrow('There is no forum');
  });
});
