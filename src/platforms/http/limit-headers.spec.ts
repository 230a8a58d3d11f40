import { limitHeaders } from './limit-headers.js';

describe('the limit in the headers of a response', () => {
  it.each<[string, Record<string, string>, (string | null)[]]>([
    [
      'X-RateLimit-*',
      { 'x-ratelimit-remaining': '5', 'x-ratelimit-used': '95', 'x-ratelimit-reset': '30' },
      ['5', '95', '30'],
    ],
    ['RateLimit-*', { 'ratelimit-remaining': '5', 'ratelimit-reset': '30' }, ['5', null, '30']],
    ['X-Rate-Limit-*', { 'x-rate-limit-remaining': '5', 'x-rate-limit-reset': '30' }, ['5', null, '30']],
    ['RateLimit', { ratelimit: '"default";r=5;t=30' }, ['5', null, '30']],
    ['RateLimit in its older form', { ratelimit: 'limit=100, remaining=5, reset=30' }, ['5', null, '30']],
    [
      'the limit of RateLimit with the fewest requests left',
      { ratelimit: '"day";r=900;t=3600, "minute";r=5;t=30, "hour";r=90;t=600' },
      ['5', null, '30'],
    ],
    ['RateLimit without a time', { ratelimit: '"day";r=900' }, ['900', null, null]],
    ['nothing', { ratelimit: 'none' }, [null, null, null]],
  ])('is that of %s', (_name, headers, expected) => {
    const { remaining, used, reset } = limitHeaders((name) => headers[name] ?? null);
    expect([remaining, used, reset]).toEqual(expected);
  });
});
