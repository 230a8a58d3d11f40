import { isSortValue } from './post-filter.js';

describe('a sort value in a cursor', () => {
  it.each([
    ['created_utc', '2026-11-21 09:30:00.123456+00'],
    ['created_utc', '2026-11-21 09:30:00+05:30'],
    ['scraped_at', '2026-11-21 09:30:00.5+00'],
    ['score', '-2147483647'],
    ['upvote_ratio', '0.94'],
    ['sentiment_score', '-1'],
    ['relevance', '1e-05'],
  ] as const)('may be what Postgres writes for %s: %s', (sort, text) => {
    expect(isSortValue(sort, text)).toBe(true);
  });

  it.each([
    ['created_utc', 'yesterday'],
    ['created_utc', '2026-13-41 09:30:00+00'],
    ['created_utc', 'infinity'],
    ['score', '2147483648'],
    ['score', '1.5'],
    ['score', ''],
    ['upvote_ratio', 'NaN'],
    ['relevance', '1e999'],
    ['relevance', "1' OR true"],
  ] as const)('is not anything else for %s: %s', (sort, text) => {
    expect(isSortValue(sort, text)).toBe(false);
  });
});
